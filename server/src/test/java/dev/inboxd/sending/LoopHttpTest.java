package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Agents that answer machines, and one another (promises.md A6). */
class LoopHttpTest {
    @Test
    @Proves("A6")
    void mailOfMachinesIsLabelledAndClientsMayKnowBetter() {
        try (World world = World.start()) {
            String inbox = world.inbox("labelled");
            world.mail(
                    "jo@x.test",
                    inbox,
                    "From: jo@x.test\nMessage-ID: <1@x.test>\nAuto-Submitted: auto-replied\n\nAway\n");
            world.mail("", inbox, "From: mailer-daemon@x.test\nMessage-ID: <2@x.test>\n\nUndelivered\n");
            world.mail("jo@x.test", inbox, "From: jo@x.test\nMessage-ID: <3@x.test>\nList-Id: <l.x.test>\n\nHi all\n");
            assertThat(labels(world, inbox, "<1@x.test>")).contains("received", "unread", "auto-reply");
            assertThat(labels(world, inbox, "<2@x.test>")).contains("auto-reply");
            assertThat(labels(world, inbox, "<3@x.test>")).contains("received").doesNotContain("auto-reply");
            assertThat(world.http()
                            .get("/v0/inboxes/" + inbox + "/events")
                            .is(200)
                            .text())
                    .contains("\"auto-reply\"");
            world.http()
                    .patch(path(inbox, "<1@x.test>"), json("remove_labels", List.of("auto-reply")))
                    .is(200);
            assertThat(labels(world, inbox, "<1@x.test>")).doesNotContain("auto-reply");
        }
    }

    @Test
    @Proves("A6")
    void anAgentThatAnswersAMachineIsStoppedUntilAPersonAnswers() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "answers_to_machines=2,requests=1000"))) {
            String agent = world.inbox("agent");
            String away = world.inbox("away");
            String first = send(world, agent, away, "").is(200).text("message_id");
            String machine = answer(
                    world, away, agent, first, "," + members("headers", object("Auto-Submitted", "auto-replied")));
            reply(world, agent, machine).is(200);
            Answer stopped = reply(world, agent, machine).is(403);
            assertThat(stopped.text("code")).isEqualTo("message_rejected");
            assertThat(stopped.text("message")).contains("only machines have answered");
            send(world, agent, away, "").is(200); // outside of the thread
            answer(world, away, agent, first, ""); // a person is back
            reply(world, agent, machine).is(200);

            String again =
                    answer(world, away, agent, first, "," + members("headers", object("Precedence", "auto_reply")));
            reply(world, agent, again).is(200);
            reply(world, agent, again).is(403);
            world.http()
                    .patch(path(agent, again), json("remove_labels", List.of("auto-reply")))
                    .is(200);
            reply(world, agent, again).is(200);
        }
    }

    @Test
    @Proves("A6")
    void twoAgentsThatAnswerOneAnotherAreStopped() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "sends_per_thread=3,requests=1000"))) {
            String one = world.inbox("one");
            String two = world.inbox("two");
            String last = send(world, one, two, "").is(200).text("message_id");
            for (int i = 0; i < 2; i++) {
                last = answer(world, two, one, last, "");
                last = answer(world, one, two, last, "");
            }
            last = answer(world, two, one, last, "");
            Answer stopped = reply(world, one, last).is(403);
            assertThat(stopped.text("code")).isEqualTo("message_rejected");
            assertThat(stopped.text("message")).contains("3 messages into this thread");
            world.advance(Duration.ofMinutes(61));
            reply(world, one, last).is(200);
        }
    }

    @Test
    @Proves("A6")
    void anInboxSendsSoManyMessagesADayAndAnotherIsNotTouched() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "sends_per_day_of_inbox=2,requests=1000"))) {
            String one = world.inbox("one");
            String two = world.inbox("two");
            send(world, one, "jo@x.test", "").is(200);
            send(world, one, "jo@x.test", "").is(200);
            assertThat(send(world, one, "jo@x.test", "").is(429).text("resource"))
                    .isEqualTo("sends_per_day_of_inbox");
            send(world, two, "jo@x.test", "").is(200);
            world.advance(Duration.ofDays(1));
            send(world, one, "jo@x.test", "").is(200);
        }
    }

    @Test
    @Proves("A6")
    void whatIsALoopAndWhetherMachinesAreLabelledAreSettings() {
        String hops = "Received: from a.test by b.test; Fri, 20 Nov 2026 10:00:00 +0000\n";
        try (World world = World.start(Map.of("INBOXD_MAX_RECEIVED", "10", "INBOXD_AUTO_REPLY_LABEL", "off"))) {
            String inbox = world.inbox("set");
            String away = "From: jo@x.test\nMessage-ID: <1@x.test>\nAuto-Submitted: auto-replied\n\nAway\n";
            assertThat(world.mail("jo@x.test", inbox, hops.repeat(10) + away)).startsWith("554 5.4.6");
            assertThat(world.mail("jo@x.test", inbox, hops.repeat(9) + away)).startsWith("250");
            assertThat(labels(world, inbox, "<1@x.test>")).contains("received").doesNotContain("auto-reply");
        }
    }

    /** Waits for what was sent to arrive, answers it, and waits for that. */
    private static String answer(World world, String from, String to, String message, String more) {
        await(world, from, message);
        String sent = world.http()
                .post(path(from, message) + "/reply", """
                {"text":"Re"%s}""".formatted(more))
                .is(200)
                .text("message_id");
        await(world, to, sent);
        return sent;
    }

    private static Answer reply(World world, String from, String message) {
        return world.http().post(path(from, message) + "/reply", json("text", "So?"));
    }

    private static Answer send(World world, String from, String to, String more) {
        return world.http().post("/v0/inboxes/" + from + "/messages/send", """
                {"to":"%s","text":"Hi"%s}""".formatted(to, more));
    }

    private static void await(World world, String inbox, String message) {
        Eventually.await(() -> world.http().get(path(inbox, message)).status() == 200);
    }

    private static List<Object> labels(World world, String inbox, String message) {
        return List.copyOf(world.http().get(path(inbox, message)).is(200).list("labels"));
    }

    private static String path(String inbox, String message) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(message, StandardCharsets.UTF_8);
    }
}
