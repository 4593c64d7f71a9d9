package dev.inboxd.sending.draft;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mailbox.claim.ClaimFixture;
import dev.inboxd.screening.HeldFixture;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Drafts that a claim binds, and drafts whose schedule an answer ends (mail.md §18.2, §18.4). */
class AnsweredDraftsHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aDraftNeedsTheClaimOfItsThreadAndStaysWithoutIt() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("draft"));
        String path = mail.mail("draft", "");
        String draft = draft(mail, json("in_reply_to", "<draft@x.test>", "text", "80"));
        String claim = mail.claim(path, "w1").is(200).text("claim_id");
        assertThat(world.http().post(draft + "/send", "{}").is(409).text("claim.worker"))
                .isEqualTo("w1");
        HttpProbe.Answer kept =
                world.http().patch(draft, json("claim_id", claim)).is(200);
        assertThat(kept.text()).doesNotContain("clm_");
        world.http().post(draft + "/send", "{}").is(200);
        world.http().get(path + "/claim").is(404);
    }

    private static String draft(ClaimFixture mail, String body) {
        return mail.path("/drafts/"
                + world.http().post(mail.path("/drafts"), body).is(200).text("draft_id"));
    }

    @Test
    void aDraftThatFallsDueInAClaimedThreadFailsForGood() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("due"));
        String path = mail.mail("due", "");
        String draft = draft(mail, scheduled("in_reply_to", "<due@x.test>", "text", "80"));
        world.http().post(path + "/claim", json("ttl_seconds", 86400)).is(200);
        world.advance(Duration.ofHours(1));
        await(() -> "failed".equals(get(draft).at("send_status")));
        assertThat(get(draft).text("send_error")).startsWith("conflict: ");
    }

    private static String scheduled(String name, Object value, Object... more) {
        String at = world.clock().instant().plus(Duration.ofHours(1)).toString();
        return "{" + members("send_at", at) + "," + members(name, value, more) + "}";
    }

    private static HttpProbe.Answer get(String path) {
        return world.http().get(path).is(200);
    }

    @Test
    void whatIsAskedOfADraftIsCheckedWhenItIsSent() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("once"));
        String path = mail.mail("once", "");
        String draft = draft(mail, """
                {"in_reply_to":"<once@x.test>","text":"80","if_unanswered":true}""");
        assertThat(get(draft).at("if_unanswered")).isEqualTo(true);
        String first =
                world.http().post(path + "/reply", json("text", "79")).is(200).text("message_id");
        assertThat(world.http().post(draft + "/send", "{}").is(409).text("answered_by"))
                .isEqualTo(first);
        world.http().post(draft + "/send", json("if_unanswered", false)).is(200);
    }

    @Test
    void anAnswerEndsTheScheduleOfADraftInItsThread() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("cancel"));
        mail.mail("cancel", "");
        String draft =
                draft(mail, scheduled("in_reply_to", "<cancel@x.test>", "text", "Still?", "cancel_on_reply", true));
        assertThat(get(draft).at("cancel_on_reply")).isEqualTo(true);
        mail.mail("elsewhere", "");
        mail.mail("machine", "In-Reply-To: <cancel@x.test>\r\nAuto-Submitted: auto-replied\r\n");
        assertThat(get(draft).text("send_status")).isEqualTo("scheduled");
        mail.mail("answer", "In-Reply-To: <cancel@x.test>\r\n");
        HttpProbe.Answer ended = get(draft);
        assertThat(ended.text("send_status")).isEqualTo("cancelled");
        assertThat(ended.text("send_error")).isEqualTo("answered: <answer@x.test>");
        assertThat(ended.at("labels")).isEqualTo(List.of());
        assertThat(ended.at("send_at")).isNull();
        HttpProbe.Answer again =
                world.http().patch(draft, scheduled("text", "Again?")).is(200);
        assertThat(again.text("send_status")).isEqualTo("scheduled");
        assertThat(again.at("send_error")).isNull();
    }

    @Test
    void anAnswerToAnythingThatWasSentToThemEndsTheScheduleOfANewMail() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("recent"));
        String first = world.http()
                .post(mail.path("/messages/send"), json("to", "Kim <KIM@x.test>", "subject", "Offer", "text", "80"))
                .is(200)
                .text("message_id");
        String draft = draft(mail, scheduled("to", "kim@x.test", "text", "Still?", "cancel_on_reply", true));
        String other = draft(mail, scheduled("to", "jo@x.test", "text", "Still?", "cancel_on_reply", true));
        mail.mail("new", "");
        assertThat(get(draft).text("send_status")).isEqualTo("scheduled");
        mail.mail("yes", "In-Reply-To: " + first + "\r\n");
        assertThat(get(draft).text("send_status")).isEqualTo("cancelled");
        assertThat(get(other).text("send_status")).isEqualTo("scheduled");
        world.http().post(mail.path("/drafts"), json("cancel_on_reply", true)).is(400);
        world.http().patch(other, json("to", null)).is(400);
    }

    @Test
    void anAnswerThatIsHeldEndsTheScheduleWhenItIsReleased() {
        HttpProbe other = world.as(world.otherOrganization());
        String inbox = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        other.patch("/v0/organizations", json("message_security", "hold")).is(200);
        String asked = other.post("/v0/inboxes/" + inbox + "/messages/send", json("to", "kim@x.test", "text", "80?"))
                .is(200)
                .text("message_id");
        String draft = other.post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        scheduled("in_reply_to", asked, "text", "Still?", "cancel_on_reply", true))
                .is(200)
                .text("draft_id");
        HttpProbe.Answer answer = other.post(
                        "/sandbox/messages",
                        json(
                                "inbox_id",
                                inbox,
                                "from",
                                "kim@x.test",
                                "text",
                                "Yes.",
                                "in_reply_to",
                                asked,
                                "security",
                                "review"))
                .is(200);
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft;
        assertThat(other.get(path).is(200).text("send_status")).isEqualTo("scheduled");
        UUID organization =
                UUID.fromString(other.get("/v0/organizations").is(200).text("organization_id"));
        world.as(HeldFixture.key(world.database(), organization))
                .post(
                        "/v0/inboxes/" + inbox + "/messages/"
                                + URLEncoder.encode(answer.text("results.0.message_id"), StandardCharsets.UTF_8)
                                + "/release",
                        json("reason", "It is Kim."))
                .is(200);
        assertThat(other.get(path).is(200).text("send_status")).isEqualTo("cancelled");
    }
}
