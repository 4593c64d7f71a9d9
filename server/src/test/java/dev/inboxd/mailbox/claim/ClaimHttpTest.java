package dev.inboxd.mailbox.claim;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims and what shows of them (mail.md §18.1). */
class ClaimHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aClaimIsOfTheThreadAndShowsOnItAndItsMessagesWhileItLasts() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("shown"));
        String path = mail.mail("shown", "");
        HttpProbe.Answer claim = mail.claim(path, "w1").is(200);
        assertThat(claim.text("claim_id")).matches("clm_[0-9A-Za-z]{22}");
        assertThat(claim.text("message_id")).isEqualTo("<shown@x.test>");
        String thread = mail.path("/threads/" + claim.text("thread_id"));
        for (String shown : List.of(path, thread)) {
            HttpProbe.Answer read = world.http().get(shown).is(200);
            assertThat(read.text("claimed_by.worker")).isEqualTo("w1");
            assertThat(read.text("claimed_by.api_key_id")).isEqualTo(claim.text("api_key_id"));
            assertThat(read.text("claimed_until")).isEqualTo(claim.text("expires_at"));
            assertThat(read.text()).doesNotContain("clm_");
            HttpProbe.Answer asked = world.http().get(shown + "/claim").is(200);
            assertThat(asked.text("worker")).isEqualTo("w1");
            assertThat(asked.text()).doesNotContain("clm_");
        }
        assertThat(threads(mail, "?claimed=true")).hasSize(1);
        assertThat(threads(mail, "?claimed=false")).isEmpty();
        world.http().get(mail.path("/threads?claimed=perhaps")).is(400);
        world.http().delete(path + "/claim/" + claim.text("claim_id")).is(200);
        assertThat(world.http().get(path).is(200).at("claimed_by")).isNull();
        assertThat(threads(mail, "?claimed=true")).isEmpty();
        assertThat(threads(mail, "?claimed=false")).hasSize(1);
        world.http().get(path + "/claim").is(404);
    }

    @Test
    void anInboxHasAThousandClaimsAtATime() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("many"));
        String path = mail.mail("many", "");
        UUID organization = world.organization();
        Instant now = world.clock().instant();
        world.database()
                .<Integer>write(
                        organization,
                        tx -> tx.sql(View.of(organization), """
                        insert into thread_claim (organization_id, claim_id, inbox_id, thread_id, holder_id, holder,
                                                  bound, held, created_at, expires_at)
                        select {organization}, 'clm_' || g.n, i.inbox_id, gen_random_uuid(), gen_random_uuid(), 'key',
                               true, true, :at, :until
                        from inbox i, generate_series(1, 1000) as g (n)
                        where i.organization_id = {organization} and i.address like 'many@%'""")
                                .bind("at", now)
                                .bind("until", now.plus(Duration.ofHours(1)))
                                .run());
        HttpProbe.Answer full = mail.claim(path, "w1").is(403);
        assertThat(full.text("resource")).isEqualTo("claims");
        assertThat(full.at("limit")).isEqualTo(1000L);
        ClaimFixture other = new ClaimFixture(world, world.inbox("few"));
        other.claim(other.mail("few", ""), "w1").is(200);
    }

    private static List<?> threads(ClaimFixture mail, String query) {
        return world.http()
                .get(mail.path("/threads" + query + "&include_unauthenticated=true"))
                .is(200)
                .list("threads");
    }

    @Test
    void whatOneWorkerHoldsAnotherDoesNotGetAndTheSameOneFindsItsOwn() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("held"));
        String path = mail.mail("held", "");
        HttpProbe.Answer claim = mail.claim(path, "w1").is(200);
        HttpProbe.Answer refused = mail.claim(path, "w2").is(409);
        assertThat(refused.text("code")).isEqualTo("conflict");
        assertThat(refused.text("claim.worker")).isEqualTo("w1");
        assertThat(refused.text("claim.expires_at")).isEqualTo(claim.text("expires_at"));
        assertThat(refused.header("Retry-After")).isEqualTo("60");
        assertThat(refused.text()).doesNotContain("clm_");
        assertThat(mail.claim(path, "w1").is(200).text("claim_id")).isEqualTo(claim.text("claim_id"));
        world.advance(Duration.ofSeconds(301));
        assertThat(mail.claim(path, "w2").is(200).text("claim_id")).isNotEqualTo(claim.text("claim_id"));
        renew(path, claim).is(409);
    }

    private static HttpProbe.Answer renew(String path, HttpProbe.Answer claim) {
        return world.http().post(path + "/claim/" + claim.text("claim_id") + "/renew", json("ttl_seconds", 600));
    }

    @Test
    void aClaimIsRenewedHandedOverAndReleasedByWhoeverShowsIt() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("verbs"));
        String path = mail.mail("verbs", "");
        HttpProbe.Answer claim = mail.claim(path, "w1").is(200);
        assertThat(renew(path, claim).is(200).text("expires_at")).isGreaterThan(claim.text("expires_at"));
        HttpProbe.Answer other = world.http()
                .post(path + "/claim/" + claim.text("claim_id") + "/handover", json("worker", "w2"))
                .is(200);
        assertThat(other.text("claim_id")).isNotEqualTo(claim.text("claim_id"));
        assertThat(other.text("worker")).isEqualTo("w2");
        renew(path, claim).is(409);
        renew(path, other).is(200);
        world.http()
                .post(path + "/claim/clm_" + "0".repeat(22) + "/renew", "{}")
                .is(404);
        world.http().delete(path + "/claim/" + other.text("claim_id")).is(200);
        renew(path, other).is(409);
        mail.claim(path, "w3").is(200);
    }

    @Test
    void aClaimThatWasHandedToAKeyIsOfNoUseWithAnother() {
        String inbox = world.inbox("bound");
        ClaimFixture mail = new ClaimFixture(world, inbox);
        String path = mail.mail("bound", "");
        String key = world.inboxKey(inbox);
        String id = world.as(key).get("/v0/auth/me").is(200).text("api_key_id");
        HttpProbe.Answer claim = mail.claim(path, "w1").is(200);
        String handover = path + "/claim/" + claim.text("claim_id") + "/handover";
        world.http()
                .post(handover, json("api_key_id", UUID.randomUUID().toString()))
                .is(404);
        HttpProbe.Answer other =
                world.http().post(handover, json("api_key_id", id)).is(200);
        assertThat(other.text("api_key_id")).isEqualTo(id);
        renew(path, other).is(404);
        world.as(key)
                .post(path + "/claim/" + other.text("claim_id") + "/renew", "{}")
                .is(200);
    }

    @Test
    void onlyWhoMayChangeTheInboxTakesAClaimAwayAndTheAuditLogHasIt() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("force"));
        String path = mail.mail("force", "");
        HttpProbe.Answer claim = mail.claim(path, "w1").is(200);
        HttpProbe worker = world.as(world.http()
                .post(
                        "/v0/api-keys",
                        json("name", "Worker", "permissions", Map.of("message_read", true, "message_send", true)))
                .is(200)
                .text("api_key"));
        assertThat(worker.post(path + "/claim", json("force", true)).is(403).text("code"))
                .isEqualTo("missing_permission");
        worker.delete(path + "/claim").is(403);
        world.http().post(path + "/claim", json("force", true, "worker", "w2")).is(200);
        renew(path, claim).is(409);
        world.http().delete(path + "/claim").is(200);
        world.http().delete(path + "/claim").is(404);
        assertThat(world.as(world.session()).get("/v0/audit-log").is(200).list("entries").stream()
                        .filter(entry -> entry.toString().contains("claim.broken")))
                .hasSize(2);
    }

    @Test
    void whatIsAnsweredIsNotClaimedIfUnanswered() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("late"));
        String path = mail.mail("late", "");
        String answer =
                world.http().post(path + "/reply", json("text", "80")).is(200).text("message_id");
        HttpProbe.Answer refused =
                world.http().post(path + "/claim", json("if_unanswered", true)).is(409);
        assertThat(refused.text("answered_by")).isEqualTo(answer);
        world.http().get(path + "/claim").is(404);
        world.http().post(path + "/claim", "{}").is(200);
    }

    @Test
    void wrongMembersAreFaultsAndWhatIsDeletedIsNotClaimed() {
        ClaimFixture mail = new ClaimFixture(world, world.inbox("wrong"));
        String path = mail.mail("wrong", "");
        for (String body : List.of(
                json("ttl_seconds", 9),
                json("ttl_seconds", 86401),
                json("worker", "w".repeat(129)),
                json("if_unanswered", "x"))) {
            world.http().post(path + "/claim", body).is(400);
        }
        HttpProbe.Answer claim = mail.claim(path, "w1").is(200);
        world.http().delete(mail.path("/threads/" + claim.text("thread_id"))).is(200);
        renew(path, claim).is(404);
        world.http().post(path + "/claim", "{}").is(404);
    }
}
