package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.http.RawWebSocket;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.SmtpProbe;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console of development: open on this machine, to its own pages alone. */
class ConsoleHttpTest {
    private static final String HOSTILE = "</title></pre>\"><img src=x onerror=attack()><script>attack()</script>";

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        // Else the mail would be hidden: nobody vouches for it.
        world.dns().text("shop.test", "v=spf1 ip4:127.0.0.1 -all").text("_dmarc.shop.test", "v=DMARC1; p=reject");
        inbox = world.inbox("agent");
    }

    private static HttpProbe browser() {
        return world.operator().with("Content-Type", "application/x-www-form-urlencoded");
    }

    private static String own() {
        return "http://127.0.0.1:" + world.httpPort();
    }

    private static String page(String path) {
        return world.operator().get("/console" + path).is(200).text();
    }

    private static String token() {
        String page = page("/keys");
        int start = page.indexOf("name=\"token\" value=\"") + 20;
        return page.substring(start, page.indexOf('"', start));
    }

    private static String form(String... pairs) {
        StringBuilder form = new StringBuilder("token=" + token());
        for (int i = 0; i < pairs.length; i += 2) {
            form.append('&')
                    .append(pairs[i])
                    .append('=')
                    .append(URLEncoder.encode(pairs[i + 1], StandardCharsets.UTF_8));
        }
        return form.toString();
    }

    /** Receives a mail, and returns the path of its conversation in the API. */
    private static String received(String id, String content) {
        try (SmtpProbe smtp = new SmtpProbe(world.smtpPort())) {
            smtp.send(
                    "jo@shop.test",
                    List.of(inbox),
                    "From: \"" + "Jo <b>\" <jo@shop.test>\r\nTo: " + inbox + "\r\nMessage-ID: <" + id
                            + "@shop.test>\r\n" + content);
        }
        Answer message = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/%3C" + id + "@shop.test%3E")
                .is(200);
        return "/inboxes/" + inbox + "/threads/" + message.text("thread_id");
    }

    @Test
    void theRootLeadsToTheConsole() {
        assertThat(world.anonymous().get("/").is(303).header("Location")).isEqualTo("console");
    }

    @Test
    void everyPageLoadsNothingFromElsewhereAndIsSmall() {
        String thread = received("policy", "Subject: Hi\r\n\r\nHello\r\n");
        for (String path : List.of(
                "",
                "/inboxes",
                "/inboxes/" + inbox,
                "/inboxes/" + inbox + "?tab=hidden",
                "/inboxes/" + inbox + "?tab=drafts",
                thread,
                "/inboxes/" + inbox + "/calendar",
                "/approvals",
                "/webhooks",
                "/apps",
                "/domains",
                "/keys",
                "/inboxes/" + inbox + "/messages/%3Cpolicy@shop.test%3E")) {
            Answer page = world.operator().get("/console" + path).is(200);
            assertThat(page.header("Content-Security-Policy"))
                    .as(path)
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
                    .contains("form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'");
            assertThat(page.header("Cache-Control")).isEqualTo("no-store");
            assertThat(page.header("Access-Control-Allow-Origin")).isNull();
            assertThat(page.body().length).as(path).isLessThan(30_000);
            assertThat(page.text()).as(path).doesNotContain("style=", "onclick", "<script>");
        }
        assertThat(world.anonymous().get("/assets/inboxd.css").body().length).isLessThan(16 * 1024);
        assertThat(world.anonymous().get("/assets/console.js").body().length).isLessThan(20 * 1024);
    }

    @Test
    void aPhoneCanKeepItLikeAProgram() {
        assertThat(page("")).contains("rel=\"manifest\" href=\"/assets/console.webmanifest\"");
        Answer manifest = world.anonymous().get("/assets/console.webmanifest").is(200);
        assertThat(manifest.header("Content-Type")).startsWith("application/manifest+json");
        URI own = URI.create("http://x/assets/console.webmanifest");
        assertThat(own.resolve(manifest.text("start_url")).getPath()).isEqualTo("/console");
        assertThat(own.resolve(manifest.text("shortcuts.0.url")).getPath()).isEqualTo("/console/approvals");
        String icon = own.resolve(manifest.text("icons.0.src")).getPath();
        assertThat(world.anonymous().get(icon).is(200).header("Content-Type")).startsWith("image/svg+xml");
    }

    @Test
    void wordsOfMailAreWordsOnEveryPage() {
        String thread = received("words", "Subject: " + HOSTILE + "\r\n\r\n" + HOSTILE + "\r\n");
        for (String path :
                List.of("", "/inboxes/" + inbox, thread, "/inboxes/" + inbox + "/messages/%3Cwords@shop.test%3E")) {
            assertThat(page(path))
                    .as(path)
                    .contains("&lt;script&gt;attack()")
                    .doesNotContain("<script>attack", "<img src=x", "<b>\"");
        }
    }

    @Test
    void aFormNeedsTheTokenOfItsPageAndTheOriginOfTheConsole() {
        String form = form("username", "made");
        browser().post("/console/inboxes", "username=made").is(403);
        browser().post("/console/inboxes", "token=wrong&username=made").is(403);
        for (String origin : List.of("http://evil.test", "http://localhost:3000", "null", "http://127.0.0.1:1")) {
            browser().with("Origin", origin).post("/console/inboxes", form).is(403);
        }
        browser()
                .with("Sec-Fetch-Site", "cross-site")
                .post("/console/inboxes", form)
                .is(403);
        world.http().get("/v0/inboxes/made@mail.localhost").is(404);
        Answer made =
                browser().with("Origin", own()).post("/console/inboxes", form).is(303);
        assertThat(made.header("Location")).isEqualTo("/console/inboxes/made@mail.localhost?done=created");
        world.http().get("/v0/inboxes/made@mail.localhost").is(200);
    }

    @Test
    void theTestMailArrives() {
        Answer sent = browser()
                .with("Origin", own())
                .post("/console", form("do", "test"))
                .is(303);
        assertThat(sent.header("Location")).isEqualTo("/console?done=sent");
        Eventually.await(() -> page("").contains("It works"));
    }

    @Test
    void whoAnswersAConversationIsSaidAndMayBeTakenOver() {
        String thread = received("claimed", "Subject: Question\r\n\r\nWhy?\r\n");
        world.http().post("/v0" + thread + "/claim", json("worker", "w7")).is(200);
        assertThat(page(thread)).contains("w7 is answering this until", "Take over and reply");
        HttpProbe person = browser().with("Origin", own());
        person.post("/console" + thread, form("do", "reply", "message_id", "<claimed@shop.test>", "text", "Because"))
                .is(409);
        person.post(
                        "/console" + thread,
                        form("do", "reply", "message_id", "<claimed@shop.test>", "text", "Because", "take_over", "yes"))
                .is(303);
        assertThat(page(thread)).contains("Because").doesNotContain("is answering this until");
    }

    @Test
    void aReplyLeavesAsTheInboxAndLabelsChange() {
        String thread = received("answer", "Subject: Question\r\n\r\nWhy?\r\n");
        browser()
                .with("Origin", own())
                .post("/console" + thread, form("do", "reply", "message_id", "<answer@shop.test>", "text", "Because é"))
                .is(303);
        assertThat(page(thread)).contains("Because é", "jo@shop.test");
        browser()
                .with("Origin", own())
                .post("/console" + thread, form("do", "label", "remove", "unread"))
                .is(303);
        assertThat(page(thread)).contains("Mark as unread");
        browser()
                .with("Origin", own())
                .post("/console" + thread, form("do", "trash"))
                .is(303);
        assertThat(page(thread)).contains("This conversation is in the trash");
    }

    @Test
    void aNewKeyIsShownOnce() {
        Answer made = browser()
                .with("Origin", own())
                .post(
                        "/console/keys",
                        form("do", "create", "name", "Agent of the test", "preset", "all", "inbox_id", inbox))
                .is(200);
        String page = made.text();
        int at = page.indexOf("id=\"made\">") + 10;
        String key = page.substring(at, page.indexOf('<', at));
        world.as(key).get("/v0/auth/me").is(200);
        assertThat(page("/keys")).contains("Agent of the test").doesNotContain(key);
    }

    /** A key is made for what it is for, and ends; who may approve stands in the list. */
    @Test
    void aKeyMayWhatItsMakerChose() {
        String made = browser()
                .with("Origin", own())
                .post("/console/keys", form("do", "create", "name", "Reader", "preset", "read", "days", "7"))
                .is(200)
                .text();
        String key = ConsoleProbe.between(made, "id=\"made\">", "<");
        world.as(key).get("/v0/inboxes").is(200);
        assertThat(world.as(key)
                        .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@shop.test", "text", "Hi"))
                        .is(403)
                        .text())
                .contains("message_send");
        browser()
                .with("Origin", own())
                .post("/console/keys", form("do", "create", "name", "Helper", "preset", "approver", "inbox_id", inbox))
                .is(200);
        browser()
                .with("Origin", own())
                .post("/console/keys", form("do", "create", "name", "Nothing", "preset", "custom"))
                .is(400);
        browser()
                .with("Origin", own())
                .post("/console/keys", form("do", "create", "name", "One", "preset", "custom", "flag", "inbox_read"))
                .is(200);
        assertThat(page("/keys")).contains("Reader", "approves", "releases", "1 permission");
    }

    @Test
    void formattedMailComesFromAnotherOriginAndCanDoNothing() {
        String thread = received(
                "formatted",
                "Subject: Look\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<h1>Hi</h1><script>attack()</script>"
                        + "<img src=http://spy.test/a.png><a href=\"http://evil.test\">bank.example</a>\r\n");
        assertThat(page(thread)).contains("Show formatted").doesNotContain("<iframe");
        String page = page(thread + "?formatted=%3Cformatted@shop.test%3E");
        assertThat(page).contains("sandbox=\"allow-popups allow-popups-to-escape-sandbox\"");
        int at = page.indexOf("src=\"http://localhost:") + 5;
        URI frame = URI.create(page.substring(at, page.indexOf('"', at)));
        assertThat(frame.getPort()).isEqualTo(world.httpPort());
        Answer mail = world.anonymous().get(frame.getRawPath()).is(200);
        assertThat(mail.header("Content-Security-Policy"))
                .startsWith("sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';")
                .contains("img-src 'self' data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'");
        assertThat(mail.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(mail.text())
                .contains("<h1>Hi</h1>", "1 remote image was not loaded", "[this link leads to evil.test]")
                .doesNotContain("attack()", "spy.test");
        String path = frame.getRawPath();
        world.anonymous().get(path.substring(0, path.length() - 2)).is(404);
        char other = path.charAt(30) == 'A' ? 'B' : 'A';
        world.anonymous()
                .get(path.substring(0, 30) + other + path.substring(31))
                .is(404);
    }

    @Test
    void whatIsHiddenIsCountedByReason() {
        String message = "/v0/inboxes/" + inbox + "/messages/%3Chidden@shop.test%3E";
        received("hidden", "Subject: Buy\r\n\r\nNow\r\n");
        world.http().patch(message, json("add_labels", List.of("spam"))).is(200);
        assertThat(page("/inboxes/" + inbox + "?tab=hidden&reason=spam")).contains("spam <b>1</b>", "Buy");
    }

    @Test
    void theSocketTellsOfWhatHappensAfterTheCursorOfThePage() throws IOException {
        String page = page("/inboxes/" + inbox);
        int at = page.indexOf("data-cursor=\"") + 13;
        String cursor = page.substring(at, page.indexOf('"', at));
        received("before", "Subject: Between page and socket\r\n\r\nHi\r\n");
        try (RawWebSocket socket =
                RawWebSocket.ofPage(world.httpPort(), "/console/live?cursor=" + cursor, world.operatorCookie())) {
            Map<?, ?> told = socket.nextText();
            assertThat(told.get("type")).isEqualTo("events");
            assertThat(told.get("arrived")).isEqualTo(1L);
            assertThat(Objects.requireNonNull(told.get("cursor")).toString()).isNotEqualTo(cursor);
            received("after", "Subject: While it listens\r\n\r\nHi\r\n");
            assertThat(socket.nextText().get("arrived")).isEqualTo(1L);
        }
    }

    @Test
    void aDraftThatWaitsIsApprovedAndTheLogNamesTheOperator() {
        String agent = world.inbox("asks");
        browser()
                .with("Origin", own())
                .post("/console/inboxes/" + agent, form("do", "approval-on"))
                .is(303);
        String sent = "/v0/inboxes/" + agent + "/messages/send";
        Answer waits = world.http()
                .post(
                        sent,
                        json("to", "jo@shop.test", "subject", "May I?", "text", "Please " + HOSTILE.replace("\"", "'")))
                .is(200);
        assertThat(waits.text("status")).isEqualTo("awaiting_approval");
        String draft = waits.text("draft_id");
        assertThat(page("")).contains("1 draft waits for your approval");
        assertThat(page("/approvals")).contains("May I?");
        assertThat(page("/approvals/draft/" + agent + "/" + draft))
                .contains("May I?", "Always allow jo@shop.test")
                .doesNotContain("<script>attack");
        String read = world.http().get("/v0/drafts/" + draft).is(200).text("updated_at");
        Answer approved = browser()
                .with("Origin", own())
                .post(
                        "/console/approvals",
                        form("do", "approve", "inbox_id", agent, "draft_id", draft, "updated_at", read))
                .is(303);
        assertThat(approved.header("Location")).isEqualTo("/console/approvals?done=approved");
        world.http().get("/v0/drafts/" + draft).is(404);
        assertThat(page("/activity")).contains("Draft approved", "<b>the operator</b>");
    }

    @Test
    void everythingIsStoppedInTwoStepsAndGoesOn() {
        browser()
                .with("Origin", own())
                .post("/console/stop", form("do", "stop"))
                .is(400);
        browser()
                .with("Origin", own())
                .post("/console/stop", form("do", "stop", "sure", "yes"))
                .is(303);
        String sent = "/v0/inboxes/" + inbox + "/messages/send";
        world.http().post(sent, json("to", "jo@shop.test", "text", "Hi")).is(403);
        assertThat(page("")).contains("Outgoing mail is stopped");
        browser()
                .with("Origin", own())
                .post("/console/stop", form("do", "resume"))
                .is(303);
        world.http().post(sent, json("to", "jo@shop.test", "text", "Hi")).is(200);
    }

    @Test
    void theTraceOfAMessageIsOnePageAway() {
        String thread = received("traced", "Subject: Where from\r\n\r\nHi\r\n");
        String path = "/inboxes/" + inbox + "/messages/%3Ctraced@shop.test%3E/trace";
        assertThat(page(thread)).contains("href=\"/console" + path + "\">Trace</a>");
        assertThat(page(path)).contains("Message trace", "return path &lt;jo@shop.test&gt;");
    }

    @Test
    void severalOrganizationsAreAskedFor() {
        try (World two = World.start()) {
            two.anonymous()
                    .post("/v0/agent/sign-up", json("username", "second"))
                    .is(200);
            HttpProbe browser = two.operator().with("Content-Type", "application/x-www-form-urlencoded");
            assertThat(browser.get("/console").is(303).header("Location")).isEqualTo("/console/organizations");
            String page = browser.get("/console/organizations").is(200).text();
            assertThat(page).contains(two.organization().toString(), "Organization without people");
            int start = page.indexOf("name=\"token\" value=\"") + 20;
            String token = page.substring(start, page.indexOf('"', start));
            String cookie = Objects.requireNonNull(
                    browser.post("/console/organizations", "token=" + token + "&organization=" + two.organization())
                            .is(303)
                            .header("Set-Cookie"));
            assertThat(cookie).contains("Path=/console", "HttpOnly", "SameSite=Strict");
            String home = browser.with("Cookie", cookie.substring(0, cookie.indexOf(';')))
                    .get("/console")
                    .is(200)
                    .text();
            assertThat(home).contains("Switch organization");
        }
    }
}
