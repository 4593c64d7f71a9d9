package dev.inboxd.console.session;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import dev.inboxd.tenant.organization.OrganizationHumans;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console behind a sign-in with a code by mail. */
class ConsoleSignInHttpTest {
    @RegisterExtension
    private static final World world =
            World.start(Map.of("INBOXD_CONSOLE", "sign-in", "INBOXD_PUBLIC_URL", "https://inboxd.test"));

    private static HttpProbe browser() {
        return world.anonymous().with("Content-Type", "application/x-www-form-urlencoded");
    }

    private static String token(String page) {
        int start = page.indexOf("name=\"token\" value=\"") + 20;
        return page.substring(start, page.indexOf('"', start));
    }

    @Test
    void withoutASessionEveryPageLeadsToTheSignIn() {
        assertThat(browser().get("/console").is(303).header("Location")).isEqualTo("/console/enter");
        for (String path :
                new String[] {"/inboxes", "/keys", "/inboxes/a@b.test/threads/x", "/mail?waiting=me&x=%2F"}) {
            assertThat(browser().get("/console" + path).is(303).header("Location"))
                    .isEqualTo("/console/enter?then=" + LocalCall.encoded(path));
        }
        assertThat(browser().post("/console/inboxes", "username=x").is(303).header("Location"))
                .isEqualTo("/console/enter?then=%2Finboxes");
        assertThat(browser()
                        .with("Cookie", "__Host-inboxd-console=a.b.c")
                        .get("/console")
                        .is(303)
                        .header("Location"))
                .isEqualTo("/console/enter");
        browser().post("/console/enter", "address=jo@people.test").is(403);
    }

    @Test
    void aCodeOpensASessionThatIsGoodForTheConsoleAlone() {
        String human = "jo@people.test";
        String mailbox = world.inbox("jo");
        assertThat(world.database()
                        .<Boolean>writeGlobal(tx -> OrganizationHumans.claim(tx, human, world.organization())))
                .isTrue();
        String enter = browser().get("/console/enter").is(200).text();
        String own = "https://inboxd.test";
        String asked = browser()
                .with("Origin", own)
                .post("/console/enter", "token=" + token(enter) + "&address=" + human)
                .is(200)
                .text();
        assertThat(asked).contains("Enter the code");
        world.lettersSince(human, 0);
        String code = code(human);
        String wrong = code.equals("000000") ? "111111" : "000000";
        assertThat(browser()
                        .with("Origin", own)
                        .post("/console/enter/code", "token=" + token(asked) + "&address=" + human + "&code=" + wrong)
                        .is(400)
                        .text())
                .contains("The code is wrong");
        Answer opened = browser()
                .with("Origin", own)
                .post("/console/enter/code", "token=" + token(asked) + "&address=" + human + "&code=" + code)
                .is(303);
        String cookie = Objects.requireNonNull(opened.header("Set-Cookie"));
        assertThat(cookie)
                .startsWith("__Host-inboxd-console=")
                .contains("; Path=/;", "HttpOnly", "SameSite=Strict", "Secure");
        HttpProbe inside = browser().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
        Answer home = inside.get("/console").is(200);
        assertThat(home.text()).contains("Sign out");
        assertThat(home.header("Set-Cookie")).as("a fresh token").startsWith("__Host-inboxd-console=");
        inside.get("/v0/inboxes").is(401);
        inside.with("Origin", "https://evil.test")
                .post("/console/inboxes", "token=" + token(home.text()) + "&username=made")
                .is(403);
        inside.with("Origin", own)
                .post("/console/inboxes", "token=" + token(home.text()) + "&username=made")
                .is(303);
        assertThat(inside.get("/console/inboxes/" + mailbox).is(200).text()).doesNotContain("Show formatted");
        sessionsAreEnded(inside.with("Origin", own), human);
        inside.with("Origin", own)
                .post("/console/leave", "token=" + token(home.text()))
                .is(303);
        assertThat(inside.get("/console").is(303).header("Location")).isEqualTo("/console/enter");
    }

    @Test
    void afterSigningInOneIsWhereOneWantedToBe() {
        String human = "ann@people.test";
        world.database()
                .<Boolean>writeGlobal(
                        tx -> OrganizationHumans.claim(tx, human, organization(world.otherOrganization())));
        assertThat(opened(human, "/approvals?page_token=a%2Fb", "").header("Location"))
                .isEqualTo("/console/approvals?page_token=a%2Fb");
        for (String elsewhere :
                new String[] {"//evil.test/", "https://evil.test/", "/../v0", "/%2e%2E/v0", "/x\\y", "x"}) {
            assertThat(opened(human, elsewhere, "").header("Location")).isEqualTo("/console");
        }
    }

    @Test
    void aTrustedDeviceStaysSignedInForThirtyDays() {
        String human = "kim@people.test";
        world.database()
                .<Boolean>writeGlobal(
                        tx -> OrganizationHumans.claim(tx, human, organization(world.otherOrganization())));
        Answer opened = opened(human, "", "yes");
        String cookie = Objects.requireNonNull(opened.header("Set-Cookie"));
        assertThat(cookie).contains("Max-Age=2592000");
        HttpProbe inside = browser().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
        Answer page = inside.get("/console/keys").is(200);
        assertThat(page.header("Set-Cookie")).contains("Max-Age=2592000");
        world.anonymous().post("/console/sign-in", json("human_email", human)).is(200);
        world.lettersSince(human, 1);
        Answer session = world.anonymous()
                .post("/console/session", """
                        {"human_email":"%s","code":"%s","trust_device":true}""".formatted(human, code(human)))
                .is(200);
        assertThat(Duration.between(
                        Instant.parse(session.text("created_at")), Instant.parse(session.text("expires_at"))))
                .isBetween(Duration.ofDays(30).minusSeconds(2), Duration.ofDays(30));
    }

    @Test
    void aCodeIsInTheSubjectAndTheMailSaysFromWhereItWasAskedFor() {
        String human = "bo@people.test";
        world.database()
                .<Boolean>writeGlobal(
                        tx -> OrganizationHumans.claim(tx, human, organization(world.otherOrganization())));
        world.anonymous().post("/console/sign-in", json("human_email", human)).is(200);
        String mail = world.lettersSince(human, 0).getFirst();
        assertThat(mail).contains("Subject: " + code(human) + " is your inboxd code", "from the address 127.0.0.1.");
        String agent = "mo@people.test";
        world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", agent, "username", "signs"))
                .is(200);
        assertThat(world.lettersSince(agent, 0).getFirst())
                .contains(
                        "Subject: " + code(agent) + " is your agent's verification code",
                        "from the address 127.0.0.1.");
    }

    @Test
    void aLinkFromAnotherPageLeadsToThePageWithTheSession() {
        assertThat(browser()
                        .with("Sec-Fetch-Site", "cross-site")
                        .get("/console/approvals?a=b")
                        .is(200)
                        .text())
                .contains("id=\"onward\" href=\"/console/approvals?a=b\"");
    }

    private static UUID organization(String key) {
        return UUID.fromString(world.as(key).get("/v0/organizations").is(200).text("organization_id"));
    }

    /** The answer to a code that was entered on the way to a page. */
    private static Answer opened(String human, String then, String device) {
        int before = world.letters(human).size();
        HttpProbe own = browser().with("Origin", "https://inboxd.test");
        String form = "token=" + token(browser().get("/console/enter").is(200).text()) + "&address=" + human + "&then="
                + ConsoleProbe.encoded(then);
        own.post("/console/enter", form).is(200);
        world.lettersSince(human, before);
        return own.post("/console/enter/code", form + "&device=" + device + "&code=" + code(human))
                .is(303);
    }

    /** Another session of the human is seen and ended; the one of the page stays. */
    private static void sessionsAreEnded(HttpProbe inside, String human) {
        int letters = world.letters(human).size();
        world.anonymous().post("/console/sign-in", json("human_email", human)).is(200);
        world.lettersSince(human, letters);
        String other = world.anonymous()
                .post("/console/session", json("human_email", human, "code", code(human)))
                .is(200)
                .text("session_token");
        String page = inside.get("/console/people").is(200).text();
        String id = world.as(other).get("/console/session").is(200).text("session_id");
        assertThat(page).contains("this session", "value=\"" + id + "\"");
        inside.post("/console/people/self", "token=" + token(page) + "&do=end&session_id=" + id)
                .is(303);
        world.as(other).get("/console/session").is(401);
        assertThat(inside.get("/console/people").is(200).text())
                .contains("this session")
                .doesNotContain("value=\"" + id);
        assertThat(inside.get("/console/activity").is(200).text()).contains("Session deleted " + id);
    }

    private static String code(String human) {
        return world.letters(human).reversed().stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whereItIsOffThereIsNothing() {
        try (World off = World.start(Map.of("INBOXD_CONSOLE", "off"))) {
            off.anonymous().get("/console").is(404);
            off.anonymous().get("/").is(200);
        }
    }
}
