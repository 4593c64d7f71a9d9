package dev.inboxd.sandbox.mail;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mail that is handed in over HTTP as if it came from outside. */
class HandedMailHttpTest {
    private static final String ROUTE = "/sandbox/messages";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aMailByItsPartsArrivesAsFromOutside() {
        String inbox = world.inbox("parts");
        HttpProbe.Answer handed = world.http().post(ROUTE, """
                        {"to":["parts+shop@mail.localhost"],"from":"Kim <kim@customers.example>","subject":"Chair",
                        "text":"What does the blue one cost?","headers":{"X-Shop":"7","Message-ID":"<k1@x.test>"},
                        "attachments":[{"filename":"a.txt","content":"aGk="}],
                        "date":"2026-01-31T12:00:00Z"}""").is(200);
        assertThat(handed.text("results.0.to")).isEqualTo("parts+shop@mail.localhost");
        assertThat(handed.text("results.0.inbox_id")).isEqualTo(inbox);
        assertThat(handed.at("results.0.labels")).isEqualTo(List.of("received", "unread"));
        HttpProbe.Answer message = message(inbox, handed);
        assertThat(message.text("message_id")).isEqualTo("<k1@x.test>");
        assertThat(message.text("from")).isEqualTo("Kim <kim@customers.example>");
        assertThat(message.text("text")).isEqualTo("What does the blue one cost?");
        assertThat(message.text("attachments.0.filename")).isEqualTo("a.txt");
        assertThat(message.text("headers.X-Shop")).isEqualTo("7");
        assertThat(message.text("headers.Received")).contains("(sandbox)", "[192.0.2.1]");
        assertThat(message.text("headers.Authentication-Results"))
                .contains("(sandbox); spf=pass", "dmarc=pass header.from=customers.example");
    }

    @Test
    void aFileOfLinesIsTakenAsItIs() throws Exception {
        String inbox = world.inbox("file");
        String mail = "From: a@b.test\nSubject: File\nMessage-ID: <f1@b.test>\n\nOne\n.two\n";
        HttpResponse<String> answer = raw("?inbox_id=" + inbox + "&spam=true&authentication=none", mail);
        assertThat(answer.body()).contains("<f1@b.test>", "spam", "unauthenticated");
        assertThat(raw("?inbox_id=" + inbox, mail).body())
                .contains("dropped")
                .doesNotContain("message_id"); // the same again
        String encoded =
                Base64.getEncoder().encodeToString(mail.replace("f1", "f2").getBytes(StandardCharsets.UTF_8));
        HttpProbe.Answer handed = world.http()
                .post(ROUTE, json("inbox_id", inbox, "raw", encoded))
                .is(200);
        assertThat(message(inbox, handed).text("text")).isEqualTo("One\n.two\n");
    }

    private static HttpResponse<String> raw(String query, String mail) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + world.httpPort() + ROUTE + query))
                            .header("Authorization", "Bearer " + world.key())
                            .header("Content-Type", "message/rfc822")
                            .POST(HttpRequest.BodyPublishers.ofString(mail))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', delimiter = '|', textBlock = """
                    "fail"            | received,unread,unauthenticated
                    "fail_quarantine" | received,unread,spam,unauthenticated
                    "none"            | received,unread,unauthenticated
                    {"dkim":[{"result":"pass","domain":"lists.example"}]} | received,unread
                    {"spf":{"result":"pass"},"dmarc":{"result":"pass"}}   | received,unread
                    """)
    void theResultsOfTheChecksAreChosen(String authentication, String labels) {
        String inbox = world.http().post("/v0/inboxes", "{}").is(200).text("inbox_id");
        HttpProbe.Answer handed =
                world.http().post(ROUTE, """
                        {"inbox_id":"%s","from":"a@b.test","text":"Hi",
                        "authentication":%s}""".formatted(inbox, authentication)).is(200);
        assertThat(handed.list("results.0.labels").stream().map(String::valueOf))
                .containsExactlyInAnyOrder(labels.split(",", -1));
    }

    @Test
    void whatSmtpWouldRefuseIsToldAndNotStored() {
        String inbox = world.inbox("refusing");
        HttpProbe.Answer rejected = world.http()
                .post(ROUTE, json("inbox_id", inbox, "from", "a@b.test", "authentication", "fail_reject"))
                .is(422);
        assertThat(rejected.text("code")).isEqualTo("unprocessable");
        assertThat(rejected.at("smtp.code")).isEqualTo(550L);
        assertThat(rejected.text("smtp.enhanced")).isEqualTo("5.7.1");
        HttpProbe.Answer unknown = world.http()
                .post(ROUTE, json("to", List.of(inbox, "nobody@mail.localhost"), "from", "a@b.test"))
                .is(422);
        assertThat(unknown.text("smtp.text")).isEqualTo("No such mailbox here");
        assertThat(unknown.text("smtp.to")).isEqualTo("nobody@mail.localhost");
        assertThat(world.http()
                        .post(ROUTE, json("to", "a@elsewhere.test", "from", "a@b.test"))
                        .is(422)
                        .text())
                .contains("Relaying denied");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages?include_spam=true")
                        .list("messages"))
                .isEmpty();
    }

    @Test
    void listsPausesAndConversationsHold() {
        String inbox = world.inbox("rules");
        world.http()
                .post("/v0/inboxes/" + inbox + "/lists/receive/block", json("entry", "spam.example"))
                .is(200);
        assertThat(hand(inbox, "a@spam.example", "<none@c.example>").at("results.0.labels"))
                .asString()
                .contains("blocked");
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "kim@c.example", "text", "Still?"))
                .is(200);
        assertThat(hand(inbox, "kim@c.example", sent.text("message_id")).text("results.0.thread_id"))
                .isEqualTo(sent.text("thread_id"));
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        HttpProbe.Answer dropped = hand(inbox, "kim@c.example", "<none@c.example>");
        assertThat(dropped.at("results.0.dropped")).isEqualTo(true);
        assertThat(dropped.text()).doesNotContain("message_id");
    }

    @Test
    void theWordOfTheJudgeIsChosen() {
        HttpProbe other = world.as(world.otherOrganization());
        String inbox = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        other.patch("/v0/organizations", json("message_security", "hold")).is(200);
        for (String word : List.of("review", "clear")) {
            HttpProbe.Answer handed = other.post(
                            ROUTE, json("inbox_id", inbox, "from", "a@b.test", "text", word, "security", word))
                    .is(200);
            assertThat(handed.list("results.0.labels").contains("held")).isEqualTo(word.equals("review"));
        }
    }

    @Test
    void aKeyHandsInWhereItSees() {
        String inbox = world.inbox("own");
        String sibling = world.inbox("sibling");
        HttpProbe narrow = world.as(world.inboxKey(inbox));
        narrow.post(ROUTE, json("inbox_id", inbox, "from", "a@b.test")).is(200);
        HttpProbe other = world.as(world.otherOrganization());
        for (HttpProbe each : List.of(narrow, other)) {
            each.post(ROUTE, json("inbox_id", sibling, "from", "a@b.test")).is(404);
            assertThat(each.post(ROUTE, json("to", sibling, "from", "a@b.test"))
                            .is(422)
                            .text("smtp.text"))
                    .isEqualTo("No such mailbox here");
        }
        world.anonymous().post(ROUTE, json("inbox_id", inbox)).is(401);
    }

    @Test
    void everyFaultIsNamed() {
        HttpProbe.Answer wrong = world.http()
                .post(ROUTE, json("authentication", object("spf", object("result", "maybe")), "client_address", "here"))
                .is(400);
        assertThat(wrong.text()).contains("inbox_id or to", "authentication", "client_address");
        assertThat(world.http()
                        .post(ROUTE, json("to", "a@mail.localhost"))
                        .is(400)
                        .text())
                .contains("from is required");
    }

    @Test
    void capturedMailIsFilteredByOrganizationRecipientAndTime() {
        String inbox = world.inbox("captured");
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "filter@c.example", "text", "Hi"))
                .is(200);
        String mine = ROUTE + "?to=Filter@c.example&organization_id=" + world.organization();
        Eventually.await(
                () -> !world.anonymous().get(mine).is(200).list("messages").isEmpty());
        assertThat(world.anonymous()
                        .get(mine + "&since=2200-01-01T00:00:00Z")
                        .is(200)
                        .list("messages"))
                .isEmpty();
        assertThat(world.anonymous()
                        .get(ROUTE + "?organization_id=01890000-0000-7000-8000-000000000000")
                        .is(200)
                        .list("messages"))
                .isEmpty();
        world.anonymous().get(ROUTE + "?organization_id=mine").is(400);
    }

    private static HttpProbe.Answer hand(String inbox, String from, String answered) {
        return world.http()
                .post(ROUTE, json("inbox_id", inbox, "from", from, "text", "Hi", "in_reply_to", answered))
                .is(200);
    }

    private static HttpProbe.Answer message(String inbox, HttpProbe.Answer handed) {
        String id = URLEncoder.encode(handed.text("results.0.message_id"), StandardCharsets.UTF_8);
        return world.http().get("/v0/inboxes/" + inbox + "/messages/" + id).is(200);
    }
}
