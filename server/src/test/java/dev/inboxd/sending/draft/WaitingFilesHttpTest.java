package dev.inboxd.sending.draft;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Files by URL of mail that needs approval: nothing leaves in an address before somebody agreed (ruling 163). */
class WaitingFilesHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static HttpProbe human;
    private static HttpProbe agent;
    private static FakeEndpoint host;

    @BeforeAll
    static void start() {
        human = world.as(world.session());
        agent = world.as(human.post("/v0/api-keys", json("send_approval", "required"))
                .is(200)
                .text("api_key"));
        host = FakeEndpoint.start();
        host.always(FakeEndpoint.respond(200, "Content-Type: text/csv\r\n", "a,b"));
    }

    @AfterAll
    static void stop() throws Exception {
        host.close();
    }

    private static String file(String path) {
        return """
                "attachments":[{"url":"%s","filename":"f.csv"}]""".formatted(host.url(path));
    }

    private static String added(String path) {
        return file(path).replace("\"attachments\"", "\"add_attachments\"");
    }

    private static String mail(String path) {
        return """
                {"to":"bob@example.org","subject":"Files","text":"See",%s}""".formatted(file(path));
    }

    private static String draftPath(String inbox, Answer asked) {
        return "/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id");
    }

    private static Answer approve(String path) {
        return human.post(
                path + "/approve", """
                {"updated_at":"%s"}""".formatted(human.get(path).is(200).text("updated_at")));
    }

    /** The draft waits with the whole address, and nobody asked for it; then it leaves with the file. */
    private static void waitsAndLeaves(String inbox, Answer asked, String path) {
        String draft = draftPath(inbox, asked);
        Answer waits = human.get(draft).is(200);
        assertThat(waits.text("send_status")).isEqualTo("awaiting_approval");
        assertThat(waits.text("attachments.0.url")).isEqualTo(host.url(path));
        assertThat(waits.at("attachments.0.size")).isEqualTo(0L);
        assertThat(human.get(draft + "/attachments/" + waits.text("attachments.0.attachment_id"))
                        .is(404)
                        .text("fix"))
                .contains("url");
        assertThat(host.received()).isEmpty();
        Answer approved = approve(draft).is(200);
        assertThat(host.take().path()).isEqualTo(path);
        assertThat(host.received()).isEmpty();
        Answer sent = human.get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(approved.text("message_id"), StandardCharsets.UTF_8))
                .is(200);
        assertThat(sent.text("attachments.0.filename")).isEqualTo("f.csv");
        assertThat(sent.text("attachments.0.content_type")).isEqualTo("text/csv");
        assertThat(sent.at("attachments.0.size")).isEqualTo(3L);
        assertThat(sent.text()).doesNotContain("/leak");
    }

    @Test
    @Proves("A23a")
    void aFileOfASendOfAKeyIsFetchedAtTheApproval() {
        String inbox = world.inbox("send");
        Answer asked = agent.post("/v0/inboxes/" + inbox + "/messages/send", mail("/leak?send=secret"))
                .is(200);
        waitsAndLeaves(inbox, asked, "/leak?send=secret");
    }

    @Test
    void aFileOfASendFromAnInboxIsFetchedAtTheApproval() {
        String inbox = world.inbox("boxed");
        human.patch("/v0/inboxes/" + inbox, json("send_approval", "required")).is(200);
        for (HttpProbe who : List.of(world.http(), human)) {
            Answer asked = who.post("/v0/inboxes/" + inbox + "/messages/send", mail("/leak?inbox"))
                    .is(200);
            waitsAndLeaves(inbox, asked, "/leak?inbox");
        }
    }

    @Test
    void filesOfRepliesAndForwardsAreFetchedAtTheApproval() {
        String inbox = world.inbox("answers");
        world.mail(
                "ann@example.org",
                inbox,
                "From: ann@example.org\r\nTo: " + inbox + "\r\nSubject: Q\r\nMessage-ID: <" + Uuid7.next()
                        + "@example.org>\r\n\r\nQuestion\r\n");
        String messages = "/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true";
        Eventually.await(() -> !world.http().get(messages).list("messages").isEmpty());
        String id = URLEncoder.encode(world.http().get(messages).text("messages.0.message_id"), StandardCharsets.UTF_8);
        Map<String, String> bodies = Map.of(
                "reply",
                "{\"text\":\"x\",%s}",
                "reply-all",
                "{\"text\":\"x\",%s}",
                "forward",
                "{\"to\":\"b@x.test\",%s}");
        bodies.forEach((verb, body) -> waitsAndLeaves(
                inbox,
                agent.post(
                                "/v0/inboxes/" + inbox + "/messages/" + id + "/" + verb,
                                body.formatted(file("/leak?" + verb)))
                        .is(200),
                "/leak?" + verb));
    }

    @Test
    void aFileOfADraftIsFetchedWhenItLeavesWhoeverSendsIt() {
        String inbox = world.inbox("drafts");
        String drafts = "/v0/inboxes/" + inbox + "/drafts";
        Answer draft = agent.post(drafts, mail("/leak?draft")).is(200);
        assertThat(draft.text("attachments.0.url")).isEqualTo(host.url("/leak?draft"));
        waitsAndLeaves(
                inbox,
                world.http().post(draftPath(inbox, draft) + "/send", "{}").is(200),
                "/leak?draft");
        Answer plain = world.http()
                .post(drafts, json("to", List.of("bob@example.org"), "text", "x"))
                .is(200);
        agent.patch(draftPath(inbox, plain), "{" + added("/leak?added") + "}").is(200);
        waitsAndLeaves(
                inbox,
                world.http().post(draftPath(inbox, plain) + "/send", "{}").is(200),
                "/leak?added");
    }

    @Test
    void mailToExemptRecipientsIsFetchedAtOnce() {
        String inbox = world.inbox("exempt");
        String friend = WaitingFixture.exempt(world.database(), world.organization(), inbox);
        Answer sent = agent.post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        mail("/exempt").replace("bob@example.org", friend))
                .is(200);
        assertThat(sent.at("status")).isNull();
        assertThat(host.take().path()).isEqualTo("/exempt");
    }

    @Test
    void whatCannotBeFetchedIsRefusedAtTheApprovalAndTheDraftWaitsOn() {
        String inbox = world.inbox("gone");
        Answer asked = agent.post("/v0/inboxes/" + inbox + "/messages/send", mail("/gone"))
                .is(200);
        String draft = draftPath(inbox, asked);
        host.then(FakeEndpoint.status(404));
        assertThat(approve(draft).is(403).text("code")).isEqualTo("message_rejected");
        host.take();
        assertThat(human.get(draft).is(200).text("send_status")).isEqualTo("awaiting_approval");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .isEmpty();
        waitsAndLeaves(inbox, asked, "/gone");
    }

    @Test
    void theWholeAddressIsInTheConsoleAsItIsAskedFor() {
        String inbox = world.inbox("shown");
        String path = "/leak?" + "x".repeat(3_000) + "&q=%3Cb%3E";
        Answer asked = agent.post(
                        "/v0/inboxes/" + inbox + "/messages/send", mail("/leak?" + "x".repeat(3_000) + "&q=<b>#part"))
                .is(200);
        String page = world.operator()
                .get("/console/approvals/draft/" + inbox + "/" + asked.text("draft_id"))
                .is(200)
                .text();
        assertThat(page).contains("<code>" + host.url(path).replace("&", "&amp;") + "</code>");
        waitsAndLeaves(inbox, asked, path);
    }

    @Test
    void addressesOfADraftHaveABound() {
        String inbox = world.inbox("bound");
        String url = """
                {"url":"%s"}""".formatted(host.url("/" + "x".repeat(7_900)));
        String five = String.join(",", List.of(url, url, url, url, url));
        String body = """
                {"to":["bob@example.org"],"text":"x","attachments":[%s]}""".formatted(five);
        assertThat(agent.post("/v0/inboxes/" + inbox + "/drafts", body).is(422).text("code"))
                .isEqualTo("unprocessable");
        agent.post("/v0/inboxes/" + inbox + "/messages/send", body).is(422);
        assertThat(host.received()).isEmpty();
    }

    @Test
    void nothingIsFetchedWhileAnOrganizationIsStopped() {
        String inbox = world.inbox("stopped");
        String drafts = "/v0/inboxes/" + inbox + "/drafts";
        Answer draft = world.http().post(drafts, json("text", "x")).is(200);
        world.http().post("/v0/organizations/stop", "{}").is(200);
        try {
            for (HttpProbe who : List.of(world.http(), agent)) {
                for (Answer refused : List.of(
                        who.post("/v0/inboxes/" + inbox + "/messages/send", mail("/stopped")),
                        who.post(drafts, mail("/stopped")),
                        who.patch(draftPath(inbox, draft), "{" + added("/stopped") + "}"))) {
                    assertThat(refused.is(403).text("code")).isEqualTo("inbox_paused");
                    assertThat(refused.text("fix")).isNotEmpty();
                }
            }
            assertThat(host.received()).isEmpty();
        } finally {
            human.post("/v0/organizations/resume", "{}").is(200);
        }
    }
}
