package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mailbox.claim.ClaimFixture;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a claim binds, and answers that are given once (mail.md §18.2, §18.3). */
@Proves("P4c")
class BoundAnswersHttpTest {
    private static final String TEXT = json("text", "80");

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void anAnswerInAClaimedThreadNeedsItsClaimAndEndsIt() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("bound"));
        String path = mail.mail("bound", "");
        String claim = mail.claim(path, "w1").is(200).text("claim_id");
        for (HttpProbe.Answer refused : List.of(
                world.http().post(path + "/reply", TEXT),
                world.http().post(path + "/reply-all", TEXT),
                world.http().post(mail.path("/messages/send"), """
                        {"to":"kim@x.test","text":"80","headers":{"In-Reply-To":"<bound@x.test>"}}"""),
                world.http().post(mail.path("/messages/send"), """
                        {"to":"kim@x.test","text":"80","headers":{"References":"<bound@x.test>"}}"""))) {
            assertThat(refused.is(409).text("claim.worker")).isEqualTo("w1");
        }
        world.http().post(path + "/forward", json("to", "jo@x.test")).is(200);
        world.http().post(path + "/reply", with("clm_" + "0".repeat(22))).is(404);
        world.http().post(path + "/reply", with(claim)).is(200);
        world.http().get(path + "/claim").is(404);
        world.http().post(path + "/reply", with(claim)).is(409);
        world.http().post(path + "/reply", json("text", "And 90")).is(200);
    }

    private static String with(String claim) {
        return json("text", "With a claim", "claim_id", claim);
    }

    @Test
    void aClaimThatIsKeptGoesOnAndOneThatIsOverIsOfNoUse() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("kept"));
        String path = mail.mail("kept", "");
        String claim = mail.claim(path, "w1").is(200).text("claim_id");
        world.http().post(path + "/reply", """
                        {"text":"One moment","keep_claim":true,"claim_id":"%s"}""".formatted(claim)).is(200);
        world.http().get(path + "/claim").is(200);
        world.advance(Duration.ofSeconds(301));
        assertThat(world.http().post(path + "/reply", with(claim)).is(409).text("message"))
                .isEqualTo("The claim has ended");
        String other = mail.mail("other", "");
        String others = mail.claim(other, "w1").is(200).text("claim_id");
        world.http().post(path + "/reply", with(others)).is(409);
        world.http().post(other + "/forward", """
                        {"to":"jo@x.test","claim_id":"%s"}""".formatted(others)).is(200);
        world.http().get(other + "/claim").is(404);
    }

    @Test
    void aRepeatGetsTheFirstAnswerAlsoAfterTheClaimEnded() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("repeat"));
        String path = mail.mail("repeat", "");
        String claim = mail.claim(path, "w1").is(200).text("claim_id");
        HttpProbe once = world.http().with("Idempotency-Key", "once");
        HttpProbe.Answer first = once.post(path + "/reply", with(claim)).is(200);
        assertThat(once.post(path + "/reply", with("clm_" + "1".repeat(22)))
                        .is(200)
                        .text("message_id"))
                .isEqualTo(first.text("message_id"));
    }

    @Test
    void ifUnansweredASecondAnswerIsRefusedAndLeavesNothingBehind() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("once"));
        String path = mail.mail("once", "");
        String body = """
                {"text":"80","if_unanswered":true}""";
        String first = world.http().post(path + "/reply", body).is(200).text("message_id");
        HttpProbe keyed = world.http().with("Idempotency-Key", "free");
        for (String way : List.of("/reply", "/reply-all")) {
            HttpProbe.Answer refused = keyed.post(path + way, """
                    {"text":"81","if_unanswered":true}""").is(409);
            assertThat(refused.text("answered_by")).isEqualTo(first);
        }
        keyed.post(path + "/forward", """
                {"to":"jo@x.test","if_unanswered":true}""").is(409);
        assertThat(sent(mail)).hasSize(1);
        keyed.post(path + "/reply", """
                {"text":"82","if_unanswered":false}""").is(200);
        String second = mail.mail("twice", "In-Reply-To: <once@x.test>\r\n");
        world.http().post(second + "/reply", body).is(200);
        // What a machine wrote is no answer.
        String third = mail.mail("thrice", "In-Reply-To: <once@x.test>\r\n");
        world.http().post(third + "/reply", """
                {"text":"I am away","headers":{"Auto-Submitted":"auto-replied"}}""").is(200);
        world.http().post(third + "/reply", """
                {"text":"83","if_unanswered":true}""").is(200);
    }

    private static List<?> sent(ClaimFixture mail) {
        return world.http().get(mail.path("/messages?labels=sent")).is(200).list("messages");
    }

    @Test
    void anInboxMayAskForItAlways() {
        String inbox = world.inbox("always");
        ClaimFixture mail = new ClaimFixture(world, inbox);
        String path = mail.mail("always", "");
        assertThat(world.http()
                        .patch(mail.path(""), json("reply_once", true))
                        .is(200)
                        .at("reply_once"))
                .isEqualTo(true);
        String first = world.http().post(path + "/reply", TEXT).is(200).text("message_id");
        assertThat(world.http()
                        .post(path + "/reply", json("text", "81"))
                        .is(409)
                        .text("answered_by"))
                .isEqualTo(first);
        world.http().post(path + "/forward", json("to", "jo@x.test")).is(200);
        world.http()
                .post(path + "/reply", json("text", "82", "if_unanswered", false))
                .is(200);
        assertThat(world.http()
                        .patch(mail.path(""), json("reply_once", false))
                        .is(200)
                        .at("reply_once"))
                .isNull();
        world.http().post(path + "/reply", json("text", "83")).is(200);
    }

    @Test
    void anAnswerThatWaitsForApprovalIsAnAnswerAndIsBoundAgainWhenItIsApproved() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("waits"));
        String path = mail.mail("waits", "");
        HttpProbe human = world.as(world.session());
        human.patch(mail.path(""), json("send_approval", "required")).is(200);
        String claim = mail.claim(path, "w1").is(200).text("claim_id");
        world.http().post(path + "/reply", TEXT).is(409);
        HttpProbe.Answer asked =
                world.http().post(path + "/reply", """
                        {"text":"80","if_unanswered":true,"claim_id":"%s"}""".formatted(claim)).is(200);
        String draft = asked.text("draft_id");
        HttpProbe.Answer refused = world.http().post(path + "/reply", """
                        {"text":"81","if_unanswered":true}""").is(409);
        assertThat(refused.text("draft_id")).isEqualTo(draft);
        assertThat(refused.text("answered_by")).isEqualTo(asked.text("message_id"));
        String other = mail.claim(path, "w2").is(200).text("claim_id");
        String at = human.get(mail.path("/drafts/" + draft)).is(200).text("updated_at");
        HttpProbe.Answer bound = human.post(mail.path("/drafts/" + draft + "/approve"), json("updated_at", at))
                .is(409);
        assertThat(bound.text("claim.worker")).isEqualTo("w2");
        assertThat(human.get(mail.path("/drafts/" + draft)).is(200).text("send_status"))
                .isEqualTo("awaiting_approval");
        world.http().delete(path + "/claim/" + other).is(200);
        human.post(mail.path("/drafts/" + draft + "/approve"), json("updated_at", at))
                .is(200);
    }
}
