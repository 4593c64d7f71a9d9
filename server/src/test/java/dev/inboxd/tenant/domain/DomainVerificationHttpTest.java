package dev.inboxd.tenant.domain;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** From a registered domain to a verified one and back (identity.md §11.4), against real DNS on loopback. */
class DomainVerificationHttpTest {
    private static final FakeDns DNS = FakeDns.start();
    private static World world;
    private static String rival;

    @BeforeAll
    static void start() {
        world = World.start(Map.of("INBOXD_DNS_SERVERS", DNS.setting()));
        rival = world.otherOrganization();
    }

    @AfterAll
    static void stop() throws IOException {
        world.close();
        DNS.close();
    }

    private static HttpProbe.Answer create(HttpProbe http, String name) {
        return http.post("/v0/domains", json("domain", name)).is(200);
    }

    private static HttpProbe.Answer checked(HttpProbe http, String name) {
        http.post("/v0/domains/" + name + "/verify", "").is(200);
        return http.get("/v0/domains/" + name).is(200);
    }

    /** Publishes all of a domain and looks twice. */
    private static HttpProbe.Answer verified(HttpProbe http, HttpProbe.Answer domain) {
        String name = domain.text("domain");
        PublishedZone.publish(DNS, domain);
        assertThat(checked(http, name).text("status")).isEqualTo("VERIFYING");
        world.advance(Duration.ofSeconds(61));
        HttpProbe.Answer verified = checked(http, name);
        assertThat(verified.text("status")).as(verified::text).isEqualTo("VERIFIED");
        return verified;
    }

    @Test
    void aDomainIsVerifiedByTwoGoodLooksAMinuteApart() {
        HttpProbe.Answer made = create(world.http(), "good.example");
        HttpProbe.Answer nothing = checked(world.http(), "good.example");
        assertThat(nothing.text("status")).isEqualTo("PENDING");
        assertThat(nothing.text("reason")).isEqualTo("dns_records_missing");

        PublishedZone.publish(DNS, made, "mail.");
        DNS.mailExchangers("good.example", "10 mx.else.example").text("_dmarc.good.example", "v=DMARC1; p=all");
        HttpProbe.Answer some = checked(world.http(), "good.example");
        assertThat(some.text("status")).isEqualTo("INVALID");
        assertThat(some.text("reason")).isEqualTo("dns_records_invalid");
        assertThat(states(some))
                .containsExactly("INVALID value_mismatch", "VALID", "VALID", "MISSING", "INVALID value_mismatch");

        DNS.forget("good.example").forget("mail.good.example").forget("_dmarc.good.example");
        PublishedZone.publish(DNS, made);
        HttpProbe.Answer right = checked(world.http(), "good.example");
        assertThat(right.text("status")).isEqualTo("VERIFYING");
        assertThat(right.text("reason")).isEqualTo("confirmation_pending");
        assertThat(checked(world.http(), "good.example").text("status"))
                .as("too soon")
                .isEqualTo("VERIFYING");
        world.advance(Duration.ofSeconds(61));
        HttpProbe.Answer verified = checked(world.http(), "good.example");
        assertThat(verified.text("status")).isEqualTo("VERIFIED");
        assertThat(verified.at("reason")).isNull();
        assertThat(states(verified)).containsOnly("VALID");
        assertThat(world.http()
                        .get("/v0/domains/good.example/setup-link")
                        .is(422)
                        .text("code"))
                .isEqualTo("unprocessable");
    }

    private static List<String> states(HttpProbe.Answer domain) {
        return domain.list("records").stream()
                .map(record -> (Map<?, ?>) record)
                .map(record -> record.get("status") + (record.get("reason") == null ? "" : " " + record.get("reason")))
                .toList();
    }

    @Test
    void itBecomesVerifiedByItselfAsTimePasses() {
        HttpProbe.Answer made = create(world.http(), "itself.example");
        await("itself.example", "PENDING");
        PublishedZone.publish(DNS, made);
        world.advance(Duration.ofSeconds(31));
        await("itself.example", "VERIFYING");
        world.advance(Duration.ofSeconds(61));
        await("itself.example", "VERIFIED");
    }

    /** Waits for the check that is due; reading the domain has no part in it while it is younger than a minute. */
    private static HttpProbe.Answer await(String name, String status) {
        return Eventually.value(
                () -> world.http().get("/v0/domains/" + name).is(200),
                domain -> domain.text("status").equals(status));
    }

    @Test
    @Proves("A37a")
    void becomingVerifiedIsToldOnceHoweverManyNodesLook() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start();
                World beside = world.beside(Map.of("INBOXD_DNS_SERVERS", DNS.setting()))) {
            String pod = world.pod("told");
            HttpProbe.Answer hook = world.http()
                    .post("/v0/webhooks", json("url", endpoint.url("/all"), "event_types", List.of("domain.verified")))
                    .is(200);
            HttpProbe.Answer made = world.http()
                    .post("/v0/pods/" + pod + "/domains", json("domain", "told.example"))
                    .is(200);
            PublishedZone.publish(DNS, made);
            assertThat(checked(world.http(), "told.example").text("status")).isEqualTo("VERIFYING");
            world.advance(Duration.ofSeconds(61));
            beside.advance(Duration.ofSeconds(61));
            CyclicBarrier together = new CyclicBarrier(8);
            List<CompletableFuture<Integer>> calls = Stream.of(
                            world, beside, world, beside, world, beside, world, beside)
                    .map(node -> CompletableFuture.supplyAsync(
                            () -> {
                                meet(together);
                                return node.as(world.key())
                                        .post("/v0/domains/told.example/verify", "")
                                        .status();
                            },
                            Thread::startVirtualThread))
                    .toList();
            assertThat(calls.stream().map(CompletableFuture::join))
                    .contains(200)
                    .allMatch(List.of(200, 409)::contains);
            assertThat(world.http().get("/v0/domains/told.example").is(200).text("status"))
                    .isEqualTo("VERIFIED");

            Map<?, ?> event = (Map<?, ?>)
                    Objects.requireNonNull(Json.parse(endpoint.take().content()));
            assertThat(event.get("event_type")).isEqualTo("domain.verified");
            assertThat(event.get("domain"))
                    .isEqualTo(world.http().get("/v0/domains/told.example").at(""));
            int told = world.database()
                    .read(tx -> tx.sqlAcrossTenants("select count(*) as n from event e"
                                    + " where e.type = 'domain.verified' and e.details::text like '%told.example%'")
                            .single(row -> row.integer("n")));
            assertThat(told).isEqualTo(1);
            world.http().delete("/v0/webhooks/" + hook.text("webhook_id")).is(200);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    @Proves("A37")
    void aVerifiedDomainIsTakenAtItsWordForADayAndIsToldOfAgainWhenItIsBack() {
        HttpProbe.Answer made = create(world.http(), "lapse.example");
        verified(world.http(), made);
        PublishedZone.forget(DNS, made);
        HttpProbe.Answer first = checked(world.http(), "lapse.example");
        assertThat(first.text("status")).isEqualTo("VERIFIED");
        assertThat(states(first)).containsOnly("MISSING");
        world.advance(Duration.ofHours(23));
        assertThat(checked(world.http(), "lapse.example").text("status")).isEqualTo("VERIFIED");
        world.advance(Duration.ofHours(2));
        HttpProbe.Answer second = checked(world.http(), "lapse.example");
        assertThat(second.text("status")).isEqualTo("PENDING");
        assertThat(second.text("reason")).isEqualTo("dns_records_missing");
        verified(world.http(), second);
    }

    @Test
    void whatCannotBeLookedUpIsNotHeldAgainstADomain() {
        HttpProbe.Answer made = create(world.http(), "dark.example");
        for (int type : new int[] {Type.MX, Type.TXT}) {
            PublishedZone.names(made).forEach(name -> DNS.failing(name, type));
        }
        HttpProbe.Answer unknown = checked(world.http(), "dark.example");
        assertThat(unknown.text("reason")).isEqualTo("dns_lookup_failed");
        PublishedZone.forget(DNS, made);
        verified(world.http(), made);
        PublishedZone.forget(DNS, made);
        PublishedZone.names(made).forEach(name -> DNS.failing(name, Type.MX).failing(name, Type.TXT));
        checked(world.http(), "dark.example");
        world.advance(Duration.ofDays(3));
        HttpProbe.Answer still = checked(world.http(), "dark.example");
        assertThat(still.text("status")).isEqualTo("VERIFIED");
        assertThat(states(still)).containsOnly("VALID");
    }

    @Test
    void aConfirmationThatNobodyAnswersIsGivenUpUntilItsOwnerAsks() {
        HttpProbe.Answer made = create(world.http(), "late.example");
        PublishedZone.publish(DNS, made);
        assertThat(checked(world.http(), "late.example").text("status")).isEqualTo("VERIFYING");
        PublishedZone.forget(DNS, made);
        PublishedZone.names(made).forEach(name -> DNS.failing(name, Type.MX).failing(name, Type.TXT));
        world.advance(Duration.ofHours(25));
        HttpProbe.Answer failed = await("late.example", "FAILED");
        assertThat(failed.text("reason")).isEqualTo("dns_lookup_failed");
        PublishedZone.forget(DNS, made);
        PublishedZone.publish(DNS, made);
        world.advance(Duration.ofHours(1));
        assertThat(world.http().get("/v0/domains/late.example").is(200).text("status"))
                .isEqualTo("FAILED");
        assertThat(checked(world.http(), "late.example").text("status")).isEqualTo("VERIFYING");
        world.advance(Duration.ofSeconds(61));
        assertThat(checked(world.http(), "late.example").text("status")).isEqualTo("VERIFIED");
    }

    @Test
    @Proves("A37")
    void theFirstToVerifyADomainHasItAndOthersCannotEvenRegisterIt() {
        HttpProbe.Answer squatted = create(world.as(rival), "wanted.example");
        HttpProbe.Answer mine = create(world.http(), "wanted.example");
        assertThat(mine.text("records.3.value")).isNotEqualTo(squatted.text("records.3.value"));
        verified(world.http(), mine);
        HttpProbe.Answer loser = checked(world.as(rival), "wanted.example");
        assertThat(loser.text("status")).isEqualTo("INVALID");
        assertThat(loser.text("records.3.reason")).isEqualTo("value_mismatch");
        world.as(rival).delete("/v0/domains/wanted.example").is(200);
        HttpProbe.Answer refused = world.as(rival)
                .post("/v0/domains", json("domain", "wanted.example"))
                .is(403);
        assertThat(refused.text("code")).isEqualTo("resource_taken");
        // A name below is another matter, until the domain stands for its subdomains.
        create(world.as(rival), "sub.wanted.example");
        world.as(rival).delete("/v0/domains/sub.wanted.example").is(200);
        world.http()
                .patch("/v0/domains/wanted.example", json("subdomains_enabled", true))
                .is(200);
        assertThat(world.as(rival)
                        .post("/v0/domains", json("domain", "a.sub.wanted.example"))
                        .is(403)
                        .text("code"))
                .isEqualTo("resource_taken");
    }

    @Test
    @Proves("A37")
    void nobodyStandsForTheSubdomainsThatAnotherHasVerified() {
        verified(world.as(rival), create(world.as(rival), "team.corp.example"));
        HttpProbe.Answer above = create(world.http(), "corp.example");
        assertThat(world.http()
                        .patch("/v0/domains/corp.example", json("subdomains_enabled", true))
                        .is(403)
                        .text("code"))
                .isEqualTo("resource_taken");
        assertThat(world.http()
                        .post("/v0/domains", json("domain", "team.corp.example"))
                        .is(403)
                        .text("code"))
                .isEqualTo("resource_taken");
        verified(world.http(), above);
    }

    @Test
    @Proves("A37")
    void aDomainThatChangedHandsGoesToWhoProvesIt() {
        HttpProbe.Answer old = create(world.as(rival), "sold.example");
        HttpProbe.Answer fresh = create(world.http(), "sold.example");
        verified(world.as(rival), old);
        world.as(rival)
                .post("/v0/inboxes", json("username", "ann", "domain", "sold.example"))
                .is(200);
        PublishedZone.forget(DNS, old);
        PublishedZone.publish(DNS, fresh);
        assertThat(checked(world.as(rival), "sold.example").text("status")).isEqualTo("VERIFIED");
        assertThat(checked(world.http(), "sold.example").text("status")).isEqualTo("VERIFYING");
        world.advance(Duration.ofSeconds(61));
        HttpProbe.Answer waits = checked(world.http(), "sold.example");
        assertThat(waits.text("status")).isEqualTo("INVALID");
        assertThat(waits.text("reason")).isEqualTo("resource_taken");
        world.advance(Duration.ofHours(25));
        assertThat(checked(world.as(rival), "sold.example").text("status")).isEqualTo("INVALID");
        assertThat(checked(world.http(), "sold.example").text("status")).isEqualTo("VERIFYING");
        world.advance(Duration.ofSeconds(61));
        assertThat(checked(world.http(), "sold.example").text("status")).isEqualTo("VERIFIED");

        // Its addresses are the new owner's to give; the old owner's inbox keeps what it has and gets no more.
        assertThat(world.mail("jo@x.test", "ann@sold.example", "From: jo@x.test\n\nHi\n"))
                .startsWith("550");
        world.http()
                .post("/v0/inboxes", json("username", "ann", "domain", "sold.example"))
                .is(200);
        assertThat(world.mail("jo@x.test", "ann@sold.example", "From: jo@x.test\n\nHi\n"))
                .startsWith("250");
        String messages = "/v0/inboxes/ann@sold.example/messages?include_unauthenticated=true";
        assertThat(world.http().get(messages).is(200).list("messages")).hasSize(1);
        assertThat(world.as(rival).get(messages).is(200).list("messages")).isEmpty();
        assertThat(world.as(rival)
                        .post("/v0/inboxes/ann@sold.example/messages/send", json("to", "jo@x.test", "text", "Hi"))
                        .is(403)
                        .text("code"))
                .isEqualTo("domain_not_verified");
        world.as(rival).delete("/v0/inboxes/ann@sold.example").is(200);
        assertThat(world.mail("jo@x.test", "ann@sold.example", "From: jo@x.test\n\nHi\n"))
                .startsWith("250");
    }
}
