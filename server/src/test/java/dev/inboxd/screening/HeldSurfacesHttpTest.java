package dev.inboxd.screening;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.stream.SocketProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No surface tells of a held mail's words until it is released, unless it is asked for by name (ruling 84). */
class HeldSurfacesHttpTest {
    private static final String WORD = "xylophone";
    private static final String RECEIVED = "\"message.received\",\"message.received.spam\"";

    private SecuredWorld secured;

    @BeforeEach
    void start() {
        secured = SecuredWorld.start("hold");
    }

    @AfterEach
    void stop() {
        secured.close();
    }

    private HttpProbe http() {
        return secured.world().http();
    }

    /** Every way to read mail without naming one that is held. */
    private Map<String, String> surfaces(String thread) {
        List<String> paths = new ArrayList<>();
        String pod = "/v0/pods/" + http().get(secured.path()).is(200).text("pod_id");
        for (String level : List.of("/v0", pod, secured.path())) {
            for (String query : List.of("", "?include_spam=true&include_trash=true", "?subject=" + WORD)) {
                paths.add(level + "/threads" + query);
            }
            paths.add(level + "/threads/" + thread);
            paths.add(level + "/threads/search?q=" + WORD + "&include_held=true");
            paths.add(level + "/metrics?event_types=message.received");
        }
        paths.add(secured.path() + "/messages");
        paths.add(secured.path() + "/messages?include_spam=true");
        paths.add(secured.path() + "/messages?labels=unread");
        paths.add(secured.path() + "/messages/search?q=" + WORD);
        paths.add(secured.path() + "/messages/wait?timeout=0&since=2020-01-01T00:00:00Z&subject=" + WORD);
        paths.add(secured.path() + "/events?limit=100");
        paths.add("/v0/events?limit=100");
        paths.add("/v0/events?limit=100&event_types=message.security.review");
        paths.add("/v0/organizations");
        Map<String, String> answers = new LinkedHashMap<>();
        paths.forEach(
                path -> answers.put(path, http().sloppy().get(path).is(200).text()));
        return answers;
    }

    @Test
    @Tag("long")
    void nothingTellsOfItAndAfterTheReleaseEverythingDoes() {
        String first = secured.mail("Lunch", "At noon?");
        String held = secured.reply(first, SecuredWorld.ORDER);
        String alone = secured.order();
        await(secured.world()::isIndexed);
        String thread = http().get(secured.path(first)).is(200).text("thread_id");
        surfaces(thread)
                .forEach((path, text) ->
                        assertThat(text.replace("q=" + WORD, "")).as(path).doesNotContainIgnoringCase(WORD));
        HttpProbe.Answer shown = http().get("/v0/threads/" + thread).is(200);
        assertThat(shown.at("message_count")).isEqualTo(1L);
        assertThat(shown.list("labels")).asString().contains("held");
        assertThat(http().get(secured.path() + "/messages/wait?timeout=0&since=2020-01-01T00:00:00Z")
                        .is(200)
                        .text("message.message_id"))
                .isEqualTo(first);

        HttpProbe releaser = secured.releaser();
        secured.release(releaser, held, "fine").is(200);
        secured.release(releaser, alone, "fine").is(200);
        await(secured.world()::isIndexed);
        Map<String, String> after = surfaces(thread);
        List<String> silent = new ArrayList<>();
        after.forEach((path, text) -> {
            if (!text.replace("q=" + WORD, "").toLowerCase(Locale.ROOT).contains(WORD)) {
                silent.add(path);
            }
        });
        assertThat(silent)
                .as("what carries no words at all")
                .allMatch(path ->
                        path.contains("metrics") || path.contains("/events") || path.contains("/organizations"));
        assertThat(after.get("/v0/events?limit=100")).contains(WORD);
        assertThat(http().get("/v0/threads/" + thread).is(200).at("message_count"))
                .isEqualTo(2L);
    }

    @Test
    void whoAsksForItByNameReadsIt() {
        String first = secured.mail("Lunch", "At noon?");
        String held = secured.mail(
                "About the " + WORD,
                "Content-Type: multipart/mixed; boundary=b\n",
                "--b\nContent-Type: text/plain\n\n" + SecuredWorld.ORDER
                        + "\n--b\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment;"
                        + " filename=a.txt\n\nThe " + WORD + "\n--b--\n",
                SecuredWorld.FRIEND);
        HttpProbe.Answer shown = http().get(secured.path(held)).is(200);
        http().get(secured.path(held) + "/raw").is(200);
        http().get(secured.path(held) + "/attachments/" + shown.text("attachments.0.attachment_id"))
                .is(200);
        for (String query : List.of("include_held=true", "labels=held", "labels=HELD,unread")) {
            assertThat(http().get(secured.path() + "/messages?" + query).is(200).text())
                    .as(query)
                    .contains(WORD, members("verdict", "review"));
            assertThat(http().get("/v0/threads?" + query).is(200).text())
                    .as(query)
                    .contains(WORD);
        }
        assertThat(http().get(secured.path() + "/messages?labels=held").is(200).text())
                .doesNotContain(first);
        assertThat(http().get(secured.path() + "/messages/wait?timeout=5&since=2020-01-01T00:00:00Z&labels=held")
                        .is(200)
                        .text("message.message_id"))
                .isEqualTo(held);
        HttpProbe.Answer batch = http().post(
                        secured.path() + "/messages/batch-get",
                        Json.text(JsonObject.of("message_ids", List.of(first, held))))
                .is(200);
        assertThat(batch.at("messages.0.security.verdict")).isEqualTo("clear");
        assertThat(batch.at("messages.1.security.verdict")).isEqualTo("review");
        String thread = shown.text("thread_id");
        assertThat(http().get("/v0/threads/" + thread).is(200).text()).contains(WORD);
    }

    @Test
    void aThreadShowsItsHeldMailToWhoAsks() {
        String first = secured.mail("Lunch", "At noon?");
        secured.reply(first, SecuredWorld.ORDER);
        String thread = "/v0/threads/" + http().get(secured.path(first)).is(200).text("thread_id");
        assertThat(http().get(thread).is(200).list("messages")).hasSize(1);
        HttpProbe.Answer all = http().get(thread + "?include_held=true").is(200);
        assertThat(all.list("messages")).hasSize(2);
        assertThat(all.at("messages.1.security.verdict")).isEqualTo("review");
    }

    @Test
    void socketsAndWebhooksGetTheReviewAlone() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start();
                SocketProbe usual = SocketProbe.open(
                                secured.world().httpPort(), secured.world().key())
                        .subscribe("");
                SocketProbe named = SocketProbe.open(
                                secured.world().httpPort(), secured.world().key())
                        .subscribe(","
                                + members(
                                        "event_types",
                                        List.of(
                                                "message.security.review",
                                                "message.security.override",
                                                "message.received")))) {
            String webhook = http().post("/v0/webhooks", """
                    {"url":"%s","event_types":[%s]}""".formatted(endpoint.url("/hook"), RECEIVED))
                    .is(200)
                    .text("webhook_id");
            http().patch("/v0/webhooks/" + webhook, """
                    {"event_types":[%s,"message.security.review",
                    "message.security.override"]}""".formatted(RECEIVED)).is(200);
            String held = secured.order();
            SocketProbe.Frame review = named.next();
            assertThat(review.text("event_type")).isEqualTo("message.security.review");
            assertThat(endpoint.take().text()).isEqualTo(review.text());
            assertThat(review.text())
                    .matches("\\{\"type\":\"event\",\"event_type\":\"message.security.review\","
                            + "\"event_id\":\"evt_[^\"]+\","
                            + "\"message\":\\{\"organization_id\":\"[^\"]+\",\"inbox_id\":\"" + secured.inbox()
                            + "\",\"thread_id\":\"[^\"]+\",\"message_id\":\"[^\"]+\",\"security\":\\{"
                            + "\"status\":\"complete\",\"verdict\":\"review\",\"completed_at\":\"[^\"]+\","
                            + "\"model\":\"inboxd-rules-[^\"]+\",\"reasons\":\\[[^]]+]}}}");
            String clear = secured.mail("Lunch", "At noon?");
            assertThat(usual.next().text()).contains(clear.substring(1, 20)).contains(members("verdict", "clear"));
            assertThat(named.next().text("event_type")).isEqualTo("message.received");
            assertThat(endpoint.take().text()).contains("Lunch", members("verdict", "clear"));

            secured.release(secured.releaser(), held, "Known sender").is(200);
            SocketProbe.Frame received = named.next();
            assertThat(received.text("event_type")).isEqualTo("message.received");
            assertThat(received.text()).contains(WORD, members("verdict", "review"), "\"manual_override\"");
            SocketProbe.Frame override = named.next();
            assertThat(override.text("event_type")).isEqualTo("message.security.override");
            assertThat(override.text()).doesNotContain(WORD).contains("\"override_id\":\"" + override.text("event_id"));
            assertThat(List.of(endpoint.take().text(), endpoint.take().text()))
                    .containsExactlyInAnyOrder(received.text(), override.text());
            assertThat(usual.next().text()).isEqualTo(received.text());
        }
    }

    @Test
    void securityEventsAreForWhoAsksByPatchAlone() {
        String types = members("event_types", List.of("message.security.review"));
        http().post("/v0/webhooks", """
                {"url":"https://a.example/",%s}""".formatted(types)).is(400);
        http().post("/v0/webhooks/polling", """
                {"client_id":"p",%s}""".formatted(types)).is(400);
        http().get("/v0/metrics?event_types=message.security.review").is(400);
    }
}
