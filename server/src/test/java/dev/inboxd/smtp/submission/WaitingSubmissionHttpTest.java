package dev.inboxd.smtp.submission;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Submitted mail and mail of calendars that wait for approval, and submission during a stop (approvals.md §2, §5). */
class WaitingSubmissionHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static HttpProbe human;

    @BeforeAll
    static void start() {
        human = world.as(world.session());
    }

    private static String inbox(String name) {
        String inbox = world.inbox(name);
        human.patch("/v0/inboxes/" + inbox, json("send_approval", "required")).is(200);
        return inbox;
    }

    private static Answer approve(String inbox, Object draft) {
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft;
        String read = human.get(path).is(200).text("updated_at");
        return human.post(path + "/approve", json("updated_at", read)).is(200);
    }

    @Test
    void aSubmittedMessageWaitsAndGoesAsItCame() {
        String inbox = inbox("program");
        String mail = "From: " + inbox + "\nTo: jo@elsewhere.test\nX-Order: 42\nMessage-ID: <own@program.test>\n"
                + "Subject: Order\n\nAs it came";
        String reply;
        String repeated;
        try (SubmissionProbe probe = new SubmissionProbe(world.submissionPort())) {
            assertThat(probe.login(inbox, world.key())).startsWith("235");
            reply = probe.send(inbox, List.of("jo@elsewhere.test", "blind@elsewhere.test"), mail);
            repeated = probe.send(inbox, List.of("jo@elsewhere.test"), mail);
        }
        assertThat(reply).isEqualTo("250 2.0.0 Waits for approval as <own@program.test>");
        assertThat(repeated).startsWith("250 2.0.0 Waits for approval as <").doesNotContain("own@");
        Answer drafts = world.http()
                .get("/v0/inboxes/" + inbox + "/drafts?ascending=true")
                .is(200);
        assertThat(drafts.list("drafts")).hasSize(2);
        String path = "/v0/inboxes/" + inbox + "/drafts/" + drafts.text("drafts.0.draft_id");
        Answer draft = world.http().get(path).is(200);
        assertThat(draft.text("subject")).isEqualTo("Order");
        assertThat(draft.text("bcc.0")).isEqualTo("blind@elsewhere.test");
        assertThat(draft.text("attachments.0.filename")).isEqualTo("message.eml");
        human.patch(path, json("text", "Other")).is(409);
        assertThat(approve(inbox, drafts.text("drafts.0.draft_id")).text("message_id"))
                .isEqualTo("<own@program.test>");
        Answer sent = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode("<own@program.test>", StandardCharsets.UTF_8))
                .is(200);
        assertThat(sent.text("text")).contains("As it came");
        assertThat(sent.text("headers.X-Order")).isEqualTo("42");
        assertThat(sent.list("deliveries")).hasSize(2);
    }

    @Test
    void theMailOfACalendarWaitsOneForEachGuest() {
        String inbox = inbox("agenda");
        String start = Instant.now().plusSeconds(864_000).toString();
        String end = Instant.now().plusSeconds(867_600).toString();
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/calendar/events",
                        json(
                                "title",
                                "Talk",
                                "start",
                                start.substring(0, 19),
                                "end",
                                end.substring(0, 19),
                                "attendees",
                                List.of(object("email", "jo@else.test")),
                                "send_invites",
                                true))
                .is(201);
        String drafts = "/v0/inboxes/" + inbox + "/drafts?send_status=awaiting_approval";
        await(() -> world.http().get(drafts).is(200).list("drafts").size() == 1);
        Answer approved = approve(inbox, world.http().get(drafts).text("drafts.0.draft_id"));
        Answer sent = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(approved.text("message_id"), StandardCharsets.UTF_8))
                .is(200);
        assertThat(sent.text("subject")).contains("Talk");
        assertThat(sent.text("attachments.0.filename")).isEqualTo("invite.ics");
    }

    @Test
    void aStopRefusesSubmission() {
        String pod = world.pod("Stopped");
        String inbox = world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", "halted"))
                .is(200)
                .text("inbox_id");
        world.http().post("/v0/pods/" + pod + "/stop", "{}").is(200);
        try (SubmissionProbe probe = new SubmissionProbe(world.submissionPort())) {
            probe.login(inbox, world.key());
            assertThat(probe.send(inbox, List.of("jo@elsewhere.test"), "From: " + inbox + "\n\nHi"))
                    .startsWith("550")
                    .contains("5.7.1");
        }
    }
}
