package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.sending.draft.WaitingFixture;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A file by URL is fetched last: what its URL says leaves with the request for it (ruling 163). */
class FetchedFilesHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_LIMITS", "sends_per_day_of_inbox=1"));

    private static HttpProbe human;
    private static HttpProbe bound;
    private static FakeEndpoint host;

    @BeforeAll
    static void start() {
        human = world.as(world.session());
        bound = world.as(human.post("/v0/api-keys", json("send_approval", "required"))
                .is(200)
                .text("api_key"));
        host = FakeEndpoint.start();
        host.always(FakeEndpoint.respond(200, "Content-Type: text/csv\r\n", "a,b"));
    }

    @AfterAll
    static void stop() throws Exception {
        host.close();
    }

    private static Answer send(HttpProbe who, String inbox, String to, String more) {
        String file = json("url", host.url("/leak?secret=1"), "filename", "f.csv");
        return who.post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"%s","text":"See"%s,"attachments":[%s]}""".formatted(to, more, file));
    }

    private static void block(String inbox, String address) {
        world.http()
                .post("/v0/inboxes/" + inbox + "/lists/send/block", json("entry", address))
                .is(200);
    }

    private static Answer entries() {
        return human.get("/v0/audit-log?limit=3").is(200);
    }

    @Test
    @Proves("A23a")
    void nothingIsFetchedForABlockedRecipient() {
        String inbox = world.inbox("blocked");
        String friend = WaitingFixture.exempt(world.database(), world.organization(), inbox);
        block(inbox, friend);
        for (HttpProbe who : List.of(world.http(), bound)) {
            assertThat(send(who, inbox, friend, "").is(403).text("code")).isEqualTo("message_rejected");
        }
        assertThat(host.received()).isEmpty();
        assertThat(entries().text()).doesNotContain("attachment.fetched");
    }

    @Test
    void nothingIsFetchedBeyondTheLimitOfADay() {
        String inbox = world.inbox("limited");
        send(world.http(), inbox, "bob@example.org", "").is(200);
        host.take();
        assertThat(send(world.http(), inbox, "bob@example.org", "").is(429).text("resource"))
                .isEqualTo("sends_per_day_of_inbox");
        assertThat(host.received()).isEmpty();
    }

    @Test
    void nothingIsFetchedForAMessageThatCannotBeComposed() {
        String inbox = world.inbox("malformed");
        send(world.http(), inbox, "bob@example.org", "," + members("subject", "x", "headers", object("Date", "now")))
                .is(400);
        assertThat(host.received()).isEmpty();
    }

    @Test
    void nothingIsFetchedAtAnApprovalThatIsRefused() {
        String inbox = world.inbox("refused");
        Answer asked = send(bound, inbox, "bob@example.org", "").is(200);
        assertThat(asked.text("status")).isEqualTo("awaiting_approval");
        String draft = "/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id");
        String approval = json("updated_at", human.get(draft).is(200).text("updated_at"));
        block(inbox, "bob@example.org");
        assertThat(human.post(draft + "/approve", approval).is(403).text("code"))
                .isEqualTo("message_rejected");
        assertThat(host.received()).isEmpty();
        world.http()
                .delete("/v0/inboxes/" + inbox + "/lists/send/block/bob@example.org")
                .is(200);
        human.post(draft + "/approve", approval).is(200);
        assertThat(host.take().path()).isEqualTo("/leak?secret=1");
        assertThat(human.post(draft + "/approve", approval).status()).isEqualTo(404);
        assertThat(host.received()).isEmpty();
    }

    /** It stores nothing when it fails, so nobody would see it otherwise. */
    @Test
    void aFetchForAKeyUnderApprovalIsInTheAuditLogAlsoWhenItFails() {
        String inbox = world.inbox("exempt");
        String friend = WaitingFixture.exempt(world.database(), world.organization(), inbox);
        host.then(FakeEndpoint.status(404));
        assertThat(send(bound, inbox, friend, "").is(403).text("code")).isEqualTo("message_rejected");
        host.take();
        Answer log = entries();
        assertThat(log.text("entries.0.action")).isEqualTo("attachment.fetched");
        assertThat(log.text("entries.0.actor.type")).isEqualTo("api_key");
        assertThat(log.text("entries.0.target")).isEqualTo(inbox);
        assertThat(log.at("entries.0.details.hosts")).isEqualTo(List.of("127.0.0.1"));
        assertThat(log.text()).doesNotContain("leak").doesNotContain("secret");
        send(world.http(), inbox, friend, "").is(200);
        host.take();
        assertThat(entries().at("entries.0")).isEqualTo(log.at("entries.0"));
    }
}
