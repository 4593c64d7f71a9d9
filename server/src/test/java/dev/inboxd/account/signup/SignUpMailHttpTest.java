package dev.inboxd.account.signup;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How often a human is written to, whoever asks for it (promises.md A31). */
class SignUpMailHttpTest {
    private static final String HUMAN = "ann@human.test";

    @Test
    @Proves("A31")
    void codesOfSignUpAndSignInAreCountedTogetherAndTheNoticeOfANewKeyApart() {
        try (World world = limited("sign_ins_per_address=100,requests=1000")) {
            HumanMail letters = new HumanMail(world);
            signUp(world, HUMAN, "ann").is(200);
            for (int i = 0; i < 4; i++) {
                signIn(world, HUMAN).is(200);
            }
            letters.await(HUMAN, 3);
            assertThat(letters.of(HUMAN)).as("an hour's").hasSize(3);
            world.anonymous()
                    .post("/console/session", json("human_email", HUMAN, "code", letters.code(HUMAN)))
                    .is(200);
            signUp(world, HUMAN, "ann").is(200);
            assertThat(letters.of(HUMAN)).hasSize(4);
            assertThat(letters.of(HUMAN).getLast()).contains("Subject: Your agent's key was replaced");
            world.advance(Duration.ofHours(2));
            for (int i = 0; i < 4; i++) {
                signIn(world, HUMAN).is(200);
            }
            letters.await(HUMAN, 6);
            assertThat(letters.of(HUMAN)).as("a day's, and the notice").hasSize(6);
            world.advance(Duration.ofHours(23));
            Answer again = signUp(world, HUMAN, "ann").is(200); // the code has expired, so another is sent
            world.as(again.text("api_key"))
                    .post("/v0/agent/verify", json("otp_code", letters.code(HUMAN)))
                    .is(200);
        }
    }

    @Test
    @Proves("A31")
    void codesOfAttachingAndSignUpAreCountedTogether() {
        try (World world = limited("letters_per_hour=2")) {
            HumanMail letters = new HumanMail(world);
            for (int i = 1; i <= 2; i++) {
                String key = agentAlone(world, "agent-" + i);
                attach(world, key, HUMAN).is(200);
                attach(world, key, "other-" + i + "@human.test").is(200);
            }
            assertThat(letters.of(HUMAN))
                    .as("two codes, and as often that another took the place")
                    .hasSize(4);
            Answer refused = attach(world, agentAlone(world, "agent-3"), HUMAN);
            Refusal.of(refused, ErrorCode.RATE_LIMIT_EXCEEDED);
            assertThat(refused.at("resource")).isEqualTo("letters_per_hour");
            Refusal.of(signUp(world, HUMAN, "ann"), ErrorCode.RATE_LIMIT_EXCEEDED);
            assertThat(letters.of(HUMAN)).hasSize(4);
            world.advance(Duration.ofMinutes(31));
            signUp(world, HUMAN, "ann").is(200);
        }
    }

    @Test
    @Proves("A31")
    void theDetailOfAnAddressIsNoWayRoundTheLimits() {
        try (World world = limited("letters_per_hour=2,sign_ups_per_human=3")) {
            signUp(world, "ann+1@human.test", "agent-1").is(200);
            attach(world, agentAlone(world, "agent-2"), "ANN+2@human.test").is(200);
            Answer refused = attach(world, agentAlone(world, "agent-3"), "ann@human.test");
            Refusal.of(refused, ErrorCode.RATE_LIMIT_EXCEEDED);
            assertThat(refused.at("resource")).isEqualTo("letters_per_hour");
            Refusal.of(signUp(world, "\"ann+3\"@human.test", "agent-4"), ErrorCode.RATE_LIMIT_EXCEEDED);
            Refusal.of(signUp(world, "ann+4@human.test", "agent-5"), ErrorCode.RATE_LIMIT_EXCEEDED);
            Answer tooMany = signUp(world, "ann+5@human.test", "agent-6");
            Refusal.of(tooMany, ErrorCode.RATE_LIMIT_EXCEEDED);
            assertThat(tooMany.at("resource")).isEqualTo("sign_ups_per_human");
            signUp(world, "anna@human.test", "agent-7").is(200);
        }
    }

    @Test
    void whatSendsNoLetterCostsNone() {
        try (World world = limited("letters_per_hour=1,requests=1000")) {
            HumanMail letters = new HumanMail(world);
            String key = agentAlone(world, "taken");
            for (int i = 0; i < 3; i++) {
                signIn(world, HUMAN).is(200);
            }
            Refusal.of(signUp(world, HUMAN, "taken"), ErrorCode.RESOURCE_TAKEN);
            Refusal.of(signUp(world, HUMAN, "postmaster"), ErrorCode.RESOURCE_TAKEN);
            attach(world, key, HUMAN).is(200);
            for (int i = 0; i < 3; i++) {
                attach(world, key, HUMAN).is(200);
            }
            world.advance(Duration.ofMinutes(61));
            world.as(key)
                    .post("/v0/agent/verify", json("otp_code", letters.code(HUMAN)))
                    .is(200);
            for (int i = 0; i < 2; i++) {
                Refusal.ofMember(attach(world, agentAlone(world, "late-" + i), HUMAN), "human_email");
                Refusal.ofMember(signUp(world, HUMAN, "later"), "human_email");
            }
            signIn(world, HUMAN).is(200);
            letters.await(HUMAN, 2);
            assertThat(letters.of(HUMAN)).hasSize(2);
        }
    }

    @Test
    void withoutLimitsNobodyIsLeftWaiting() {
        try (World world = World.start()) {
            signUp(world, HUMAN, "ann").is(200);
            for (int i = 0; i < 10; i++) {
                signIn(world, HUMAN).is(200);
            }
            new HumanMail(world).await(HUMAN, 11);
            assertThat(new HumanMail(world).of(HUMAN)).hasSize(11);
        }
    }

    private static World limited(String limits) {
        return World.start(Map.of("INBOXD_LIMITS", limits));
    }

    private static String agentAlone(World world, String username) {
        return world.anonymous()
                .post("/v0/agent/sign-up", json("username", username))
                .is(200)
                .text("api_key");
    }

    private static Answer signUp(World world, String human, String username) {
        return world.anonymous().post("/v0/agent/sign-up", json("human_email", human, "username", username));
    }

    private static Answer signIn(World world, String human) {
        return world.anonymous().post("/console/sign-in", json("human_email", human));
    }

    private static Answer attach(World world, String key, String human) {
        return world.as(key).post("/v0/agent/human", json("human_email", human));
    }
}
