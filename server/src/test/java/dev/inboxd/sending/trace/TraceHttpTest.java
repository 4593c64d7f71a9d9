package dev.inboxd.sending.trace;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The trace of a message (approvals.md §8). */
class TraceHttpTest {
    private static final String ALL = "?include_unauthenticated=true&include_spam=true";

    @RegisterExtension
    private static final World world = World.start();

    private static Answer trace(String inbox, String name) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/trace")
                .is(200);
    }

    @Test
    void receivedMailHasItsSessionItsJudgmentAndItsEvents() {
        String inbox = world.inbox("traced");
        world.mail(
                "ann@example.org",
                inbox,
                "Received: from liar.example by mail.example; Thu, 1 Jan 2026 00:00:00 +0000\n"
                        + "From: ann@example.org\nTo: " + inbox + "\nSubject: Confidential\nMessage-ID: <"
                        + Uuid7.next() + "@example.org>\n\nHi\n");
        String path = "/v0/inboxes/" + inbox + "/messages" + ALL;
        await(() -> !world.http().get(path).list("messages").isEmpty());
        Answer trace = trace(inbox, world.http().get(path).text("messages.0.message_id"));
        assertThat(trace.text("direction")).isEqualTo("received");
        assertThat(trace.text("received.return_path")).isEqualTo("<ann@example.org>");
        assertThat(trace.text("received.authentication_results")).contains("spf=");
        assertThat(trace.text("received.received")).doesNotContain("liar");
        assertThat(trace.text("told.0.event_id")).startsWith("evt_");
        assertThat(trace.text()).doesNotContain("Confidential");
    }

    @Test
    void sentMailHasWhoApprovedItAndWhatBecameOfEachRecipient() {
        String inbox = world.inbox("sender");
        HttpProbe human = world.as(world.session());
        human.patch("/v0/inboxes/" + inbox, json("send_approval", "required")).is(200);
        Answer asked = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "bob@example.org", "text", "t"))
                .is(200);
        String draft = "/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id");
        human.post(draft + "/approve", json("updated_at", human.get(draft).text("updated_at")))
                .is(200);
        Answer trace = trace(inbox, asked.text("message_id"));
        assertThat(trace.text("draft.draft_id")).isEqualTo(asked.text("draft_id"));
        assertThat(trace.text("draft.approved_by.type")).isEqualTo("user");
        assertThat(trace.text("deliveries.0.recipient")).isEqualTo("bob@example.org");
    }

    @Test
    void sentMailHasTheCallThatSentItForKeysOfTheSameScope() {
        String inbox = world.inbox("caller");
        String path = "/v0/inboxes/" + inbox;
        Answer agent =
                world.http().post(path + "/api-keys", json("name", "agent")).is(200);
        Answer sent = world.as(agent.text("api_key"))
                .post(path + "/messages/send", json("to", "bob@example.org", "text", "t"))
                .is(200);
        String id = sent.text("message_id");
        world.http()
                .patch(
                        path + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8),
                        json("add_labels", List.of("seen")))
                .is(200);
        await(() -> trace(inbox, id).text().contains("PATCH"));
        Answer trace = trace(inbox, id);
        assertThat(trace.text("calls.0.request_id")).isEqualTo(sent.header("x-request-id"));
        assertThat(trace.text("calls.0.api_key_id")).isEqualTo(agent.text("api_key_id"));
        assertThat(trace.text("calls.0.name")).isEqualTo("agent");
        assertThat(trace.text("calls.0.route")).endsWith("/messages/send");
        assertThat(trace.text("calls.1.method")).isEqualTo("PATCH");
        Answer narrow = world.as(agent.text("api_key"))
                .get(path + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/trace")
                .is(200);
        assertThat(narrow.list("calls")).as("of its scope alone").hasSize(1);
    }

    @Test
    void receivedMailHasItsSessionItsAttemptsItsReadersAndItsAnswer() {
        String inbox = world.inbox("whole");
        String path = "/v0/inboxes/" + inbox;
        world.http()
                .post(
                        "/v0/webhooks",
                        json(
                                "url",
                                "http://127.0.0.1:9/secret",
                                "event_types",
                                List.of("message.received.unauthenticated")))
                .is(200);
        String id = "<" + Uuid7.next() + "@example.org>";
        world.mail(
                "ann@example.org", inbox, "From: ann@example.org\nTo: " + inbox + "\nMessage-ID: " + id + "\n\nHi\n");
        String message = path + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
        HttpProbe agent = world.as(world.http()
                .post(path + "/api-keys", json("name", "Ada"))
                .is(200)
                .text("api_key"));
        agent.get(message).is(200);
        agent.get(message).is(200);
        agent.post(message + "/reply", json("text", "Yes")).is(200);
        await(() -> {
            String trace = trace(inbox, id).text();
            return trace.contains("/reply") && trace.contains("next_attempt_at");
        });
        Answer trace = trace(inbox, id);
        Instant began = Instant.parse(trace.text("received.began_at"));
        Instant stored = Instant.parse(trace.text("stored.at"));
        assertThat(began).isBetween(stored.minusSeconds(30), stored);
        assertThat(trace.text("received.client")).contains("([127.0.0.1])");
        assertThat(trace.at("received.tls")).isEqualTo(false);
        assertThat(trace.text("told.0.attempts.0.host")).isEqualTo("127.0.0.1");
        assertThat(trace.list("calls")).as("one read of a key an hour").hasSize(1);
        assertThat(trace.text("calls.0.method")).isEqualTo("GET");
        assertThat(trace.text("answers.0.call.name")).isEqualTo("Ada");
        assertThat(trace.text()).doesNotContain("secret");
        assertThat(trace(inbox, trace.text("answers.0.message_id")).text())
                .as("nobody answered the answer")
                .doesNotContain("answers");
    }

    private static String received(String inbox, String more) {
        world.dns().text("shop.test", "v=spf1 ip4:127.0.0.1 -all").text("_dmarc.shop.test", "v=DMARC1; p=reject");
        String id = "<" + Uuid7.next() + "@shop.test>";
        world.mail(
                "jo@shop.test",
                inbox,
                "From: jo@shop.test\nTo: " + inbox + "\nMessage-ID: " + id + "\n" + more + "\nHi\n");
        String path = "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
        await(() -> world.http().get(path).status() == 200);
        return id;
    }

    @Test
    void readsTakeNoRoomFromChangesAndTheNewestAreKept() throws SQLException {
        String inbox = world.inbox("often");
        String id = received(inbox, "");
        String path = "/v0/inboxes/" + inbox + "/messages/";
        world.http()
                .patch(path + id.substring(1, id.length() - 1), json("add_labels", List.of("seen")))
                .is(200);
        world.http().get(path + id.substring(1, id.length() - 1)).is(200);
        await(() -> {
            String trace = trace(inbox, id).text();
            return trace.contains("\"PATCH\"") && trace.contains("\"GET\"");
        });
        try (Connection connection = DriverManager.getConnection(world.databaseUrl());
                PreparedStatement insert = connection.prepareStatement("""
                        insert into message_call (organization_id, inbox_id, message_id, request_id, api_key_id, at,
                            method, route)
                        select c.organization_id, c.inbox_id, c.message_id,
                            'req_01M8P962575PXKNDVQ38Y1S' || lpad(n::text, 3, '0'), c.api_key_id,
                            c.at + n * interval '1 second', 'GET', c.route
                        from message_call c, generate_series(1, 300) n
                        where c.message_id = ? and c.method = 'GET'""")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
        Answer trace = trace(inbox, id);
        assertThat(trace.list("calls")).hasSize(201);
        assertThat(trace.text()).contains("\"PATCH\"", "Y1S300\"").doesNotContain("Y1S100\"");
        assertThat(trace.text("calls.200.request_id")).endsWith("Y1S300");
    }

    @Test
    void whatIsDoneToAnAnswerFromElsewhereDoesNotMakeItOurs() {
        String inbox = world.inbox("asking");
        String path = "/v0/inboxes/" + inbox + "/messages/";
        String sent = world.http()
                .post(path + "send", json("to", "jo@shop.test", "text", "t"))
                .is(200)
                .text("message_id");
        String id = received(inbox, "In-Reply-To: " + sent + "\n");
        world.http()
                .post(path + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/claim", "{}")
                .is(200);
        await(() -> trace(inbox, id).text().contains("/claim"));
        Answer trace = trace(inbox, sent);
        assertThat(trace.text("answers.0.message_id")).isEqualTo(id);
        assertThat(trace.text()).doesNotContain("/claim");
    }

    @Test
    void aKeyOfAPodSeesNoCallsAndAttemptsOfOthers() {
        String mine = world.pod("mine");
        String inbox = world.http()
                .post("/v0/pods/" + mine + "/inboxes", json("username", "podded"))
                .is(200)
                .text("inbox_id");
        world.http()
                .post("/v0/webhooks", json("url", "http://127.0.0.1:9/x", "event_types", List.of("message.received")))
                .is(200);
        String id = received(inbox, "");
        String message = "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
        world.http().post(message + "/reply", json("text", "Yes")).is(200);
        await(() -> {
            Answer whole = trace(inbox, id);
            return whole.text().contains("/reply") && whole.text().contains("attempts");
        });
        String own =
                world.as(world.podKey(mine)).get(message + "/trace").is(200).text();
        assertThat(own).contains("answers").doesNotContain("\"calls\"", "\"call\"", "attempts");
        world.as(world.podKey(world.pod("theirs"))).get(message + "/trace").is(404);
    }
}
