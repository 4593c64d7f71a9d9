package dev.inboxd.sending.draft;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What became of a draft can be asked from either side (mail.md §8.7). */
class SentDraftHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aMessageSaysWhichDraftItWasAndEveryRouteOfTheDraftWhichMessageItIs() {
        String inbox = world.inbox("became");
        HttpProbe.Answer draft = draft(inbox, "");
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft.text("draft_id");
        String name = world.http().post(path + "/send", "{}").is(200).text("message_id");
        String message = "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8);

        HttpProbe.Answer shown = world.http().get(message).is(200);
        assertThat(shown.text("draft_id")).isEqualTo(draft.text("draft_id"));
        HttpProbe.Answer listed =
                world.http().get("/v0/inboxes/" + inbox + "/messages").is(200);
        assertThat(listed.text("messages.0.draft_id")).isEqualTo(draft.text("draft_id"));
        HttpProbe.Answer thread = world.http()
                .get("/v0/inboxes/" + inbox + "/threads/" + shown.text("thread_id"))
                .is(200);
        assertThat(thread.text("messages.0.draft_id")).isEqualTo(draft.text("draft_id"));

        List<HttpProbe.Answer> answers = List.of(
                world.http().get(path),
                world.http().get("/v0/drafts/" + draft.text("draft_id")),
                world.http().patch(path, json("subject", "x")),
                world.http().delete(path),
                world.http().post(path + "/send", "{}"));
        for (HttpProbe.Answer answer : answers) {
            assertThat(answer.is(404).text("code")).isEqualTo("not_found");
            assertThat(answer.text("fix")).contains(name);
        }
        assertThat(world.as(world.inboxKey(world.inbox("stranger")))
                        .get("/v0/drafts/" + draft.text("draft_id"))
                        .is(404)
                        .text("fix"))
                .doesNotContain(name);

        world.http().delete(message).is(200);
        assertThat(world.http().get(path).is(404).text("fix")).doesNotContain(name);
    }

    @Test
    void whatNeverWasADraftHasNoDraftIdAndWhatWasDeletedBecameNothing() {
        String inbox = world.inbox("never");
        String name = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@elsewhere.test", "text", "t"))
                .is(200)
                .text("message_id");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8))
                        .is(200)
                        .at("draft_id"))
                .isNull();
        HttpProbe.Answer draft = draft(inbox, "");
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft.text("draft_id");
        world.http().delete(path).is(200);
        assertThat(world.http().get(path).is(404).text("fix")).doesNotContain("sent");
    }

    @Test
    void aScheduledDraftThatFailedSaysWhyUntilItGetsAnotherTime() {
        String inbox = world.inbox("failing");
        String at = world.clock().instant().plus(Duration.ofHours(1)).toString();
        HttpProbe.Answer draft = draft(inbox, "," + members("send_at", at));
        world.http()
                .post("/v0/inboxes/" + inbox + "/lists/send/block", json("entry", "jo@elsewhere.test"))
                .is(200);
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft.text("draft_id");
        world.advance(Duration.ofHours(1));
        await(() -> "failed".equals(world.http().get(path).is(200).at("send_status")));
        assertThat(world.http().get(path).is(200).text("send_error"))
                .startsWith("message_rejected: ")
                .hasSizeGreaterThan(25);
        String later = world.clock().instant().plus(Duration.ofHours(1)).toString();
        assertThat(world.http().patch(path, json("send_at", later)).is(200).at("send_error"))
                .isNull();
        assertThat(world.http().get(path).is(200).at("send_error")).isNull();
    }

    @Test
    void mailThreadsAndDraftsSayWhereTheirInboxLiesBehindEverythingElse() {
        String inbox = world.inbox("place");
        HttpProbe.Answer draft = draft(inbox, "");
        String name = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@elsewhere.test", "text", "t"))
                .is(200)
                .text("message_id");
        String pod = world.http().get("/v0/inboxes/" + inbox).is(200).text("pod_id");
        HttpProbe.Answer message = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8))
                .is(200);
        assertThat(last(Objects.requireNonNull(message.at("")))).isEqualTo("pod_id");
        String thread = message.text("thread_id");
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", inbox, "text", "needle"))
                .is(200);
        String search = "/search?q=needle";
        await(() ->
                world.http().get("/v0/inboxes/" + inbox + "/messages" + search).at("messages.0") != null);
        for (Object placed : Arrays.asList(
                world.http().get("/v0/inboxes/" + inbox + "/messages" + search).at("messages.0"),
                world.http().get("/v0/inboxes/" + inbox + "/threads" + search).at("threads.0"),
                world.http().get("/v0/inboxes/" + inbox + "/threads/" + thread).at(""),
                world.http().get("/v0/inboxes/" + inbox + "/messages").is(200).at("messages.0"),
                world.http().get("/v0/inboxes/" + inbox + "/threads").is(200).at("threads.0"),
                world.http().get("/v0/inboxes/" + inbox + "/drafts").is(200).at("drafts.0"),
                draft.at(""))) {
            Map<?, ?> members = Objects.requireNonNull((Map<?, ?>) placed);
            List<Object> names = List.copyOf(members.keySet());
            assertThat(names.subList(names.size() - 2, names.size()))
                    .isEqualTo(List.<Object>of("organization_id", "pod_id"));
            assertThat(members.get("pod_id")).isEqualTo(pod);
            assertThat(members.get("organization_id"))
                    .isEqualTo(world.organization().toString());
        }
    }

    private static Object last(Object object) {
        List<Object> names = List.copyOf(((Map<?, ?>) object).keySet());
        return names.getLast();
    }

    private static HttpProbe.Answer draft(String inbox, String more) {
        return world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", """
                {"to":["jo@elsewhere.test"],"subject":"s","text":"t"%s}""".formatted(more))
                .is(200);
    }
}
