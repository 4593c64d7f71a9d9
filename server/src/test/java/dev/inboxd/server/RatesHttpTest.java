package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Rates over HTTP, on two nodes that share one database (identity.md §4.2; promises.md A29, A31). */
class RatesHttpTest {
    /** No rate here gives so much in the time that so many calls take. */
    private static final int FOREVER = 5_000;

    private static List<World> nodes(Map<String, String> settings) {
        World first = World.start(settings);
        return List.of(first, first.beside(settings));
    }

    private static void close(List<World> nodes) {
        nodes.reversed().forEach(World::close);
    }

    /** Calls until it is refused by a rate; what it was refused with, and how often it was not before. */
    private static Refused until(IntFunction<Answer> call) {
        for (int i = 0; i < FOREVER; i++) {
            Answer answer = call.apply(i);
            if (answer.status() == 429) {
                return new Refused(i, answer);
            }
        }
        throw new AssertionError("never refused");
    }

    private record Refused(int before, Answer answer) {}

    @Test
    @Proves("A29a")
    void aKeyHasOneRateOnAllNodesAndIsToldHowItStands() {
        List<World> nodes = nodes(Map.of("INBOXD_LIMITS", "requests=5"));
        try {
            String key = nodes.getFirst().key();
            Answer first = nodes.getFirst().as(key).get("/v0/auth/me").is(200);
            assertThat(first.header("X-RateLimit-Limit")).isEqualTo("10");
            assertThat(first.header("X-RateLimit-Remaining")).isEqualTo("9");
            long now = nodes.getFirst().clock().instant().getEpochSecond();
            assertThat(Long.parseLong(first.header("X-RateLimit-Reset"))).isBetween(now, now + 3);

            Refused refused = until(i -> nodes.get(i % 2).as(key).get("/v0/auth/me"));
            assertThat(refused.before()).isGreaterThanOrEqualTo(9);
            assertThat(refused.answer().at("code")).isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED.wireName());
            assertThat(refused.answer().at("resource")).isEqualTo("requests");
            assertThat(refused.answer().header("Retry-After")).isEqualTo("1");
            assertThat(refused.answer().header("X-RateLimit-Limit")).isEqualTo("10");
            assertThat(refused.answer().header("X-RateLimit-Remaining")).isEqualTo("0");
            nodes.forEach(node -> node.advance(Duration.ofSeconds(10)));
            nodes.getLast().as(key).get("/v0/auth/me").is(200);
        } finally {
            close(nodes);
        }
    }

    @Test
    void withoutLimitsNothingIsCountedAndNothingTold() {
        try (World world = World.start()) {
            for (int i = 0; i < 300; i++) {
                assertThat(world.http().get("/v0/auth/me").is(200).header("X-RateLimit-Limit"))
                        .isNull();
            }
            world.as("inb_wrong").get("/v0/auth/me").is(401);
        }
    }

    @Test
    @Proves("A29")
    void badKeysOfAnAddressAreRefusedAfterTwentyAndGoodOnesAreNot() {
        List<World> nodes = nodes(Map.of("INBOXD_LIMITS", "on"));
        try {
            Refused refused = until(i -> i % 3 == 2
                    ? nodes.get(i % 2).anonymous().get("/v0/inboxes")
                    : nodes.get(i % 2).as("inb_wrong" + i).get("/v0/inboxes"));
            assertThat(refused.before()).isBetween(20, 100);
            assertThat(refused.answer().at("resource")).isEqualTo("refusals");
            assertThat(Integer.parseInt(refused.answer().header("Retry-After"))).isBetween(1, 2);
            nodes.forEach(node -> node.http().get("/v0/inboxes").is(200));
        } finally {
            close(nodes);
        }
    }

    @Test
    @Proves("A31")
    void anAddressSignsUpSoOftenOnAllNodesTogether() {
        List<World> nodes = nodes(Map.of("INBOXD_LIMITS", "sign_ups_per_address=3"));
        try {
            Refused refused = until(i -> signUp(nodes.get(i % 2), "h" + i + "@human.test", "agent-" + i));
            assertThat(refused.before()).isEqualTo(3);
            assertThat(Integer.parseInt(refused.answer().header("Retry-After"))).isBetween(1_100, 1_200);
            nodes.forEach(node -> node.advance(Duration.ofMinutes(21)));
            signUp(nodes.getFirst(), "late@human.test", "late").is(200);
            signUp(nodes.getFirst(), "later@human.test", "later").is(429);
        } finally {
            close(nodes);
        }
    }

    @Test
    @Proves("A31")
    void aHumanIsSignedUpForAndTheServerIsSignedUpAtSoOften() {
        Map<String, String> settings = Map.of(
                "INBOXD_TRUSTED_PROXIES",
                "127.0.0.1",
                "INBOXD_LIMITS",
                "sign_ups_per_human=2,sign_ups=4,sign_ups_per_address=1");
        List<World> nodes = nodes(settings);
        try {
            Refused human = until(i -> signUpFrom(nodes.get(i % 2), "192.0.2." + i, "ann@human.test", "ann"));
            assertThat(human.before()).isEqualTo(2);
            assertThat(human.answer().at("resource")).isEqualTo("sign_ups_per_human");
            Refused server = until(
                    i -> signUpFrom(nodes.get(i % 2), "2001:db8:" + i + "::1", "h" + i + "@human.test", "agent-" + i));
            assertThat(server.before()).isEqualTo(2);
            assertThat(server.answer().at("resource")).isEqualTo("sign_ups");
            Answer neighbour = signUpFrom(nodes.getFirst(), "2001:db8:0:0:7::7", "x@human.test", "x")
                    .is(429);
            assertThat(neighbour.at("resource")).isEqualTo("sign_ups_per_address");
        } finally {
            close(nodes);
        }
    }

    @Test
    @Proves("A30")
    void anOrganizationVerifiesAndAKeySearchesSoOften() {
        List<World> nodes = nodes(Map.of("INBOXD_LIMITS", "verifications=2,searches=1"));
        try {
            String key =
                    signUp(nodes.getFirst(), "ann@human.test", "ann").is(200).text("api_key");
            Refused verify = until(i -> nodes.get(i % 2).as(key).post("/v0/agent/verify", json("otp_code", "12345x")));
            assertThat(verify.before()).isEqualTo(2);
            for (String search : List.of("/v0/inboxes/search?q=hello", "/v0/threads/search?q=hello")) {
                assertThat(until(i -> nodes.get(i % 2).as(key).get(search))
                                .answer()
                                .at("resource"))
                        .isEqualTo("searches");
                nodes.forEach(node -> node.advance(Duration.ofSeconds(5)));
            }
        } finally {
            close(nodes);
        }
    }

    @Test
    @Proves("A31")
    void anAddressSignsInSoOftenOnAllNodesTogether() {
        List<World> nodes = nodes(Map.of("INBOXD_LIMITS", "sign_ins_per_address=4"));
        try {
            Refused refused = until(i -> nodes.get(i / 2 % 2)
                    .anonymous()
                    .post(
                            i % 2 == 0 ? "/console/sign-in" : "/console/session",
                            i % 2 == 0
                                    ? json("human_email", "nobody@human.test")
                                    : json("human_email", "nobody@human.test", "code", "000000")));
            assertThat(refused.before()).isEqualTo(4);
            assertThat(refused.answer().at("resource")).isEqualTo("sign_ins_per_address");
            nodes.getLast().anonymous().post("/console/session", "{}").is(429);
            nodes.forEach(node -> node.advance(Duration.ofMinutes(16)));
            nodes.getLast().anonymous().post("/console/sign-in", "{}").is(400);
        } finally {
            close(nodes);
        }
    }

    @Test
    void aDomainIsLookedAtSoOften() {
        List<World> nodes = nodes(Map.of("INBOXD_LIMITS", "domain_checks=2,requests=1000"));
        try {
            for (String name : List.of("one.example", "two.example")) {
                nodes.getFirst()
                        .http()
                        .post("/v0/domains", json("domain", name))
                        .is(200);
                Refused refused = until(i -> i % 2 == 0
                        ? nodes.getFirst().http().post("/v0/domains/" + name + "/verify", "")
                        : nodes.getLast().http().get("/v0/domains/" + name.toUpperCase(Locale.ROOT) + "/setup-link"));
                assertThat(refused.before()).isEqualTo(2);
                assertThat(refused.answer().at("resource")).isEqualTo("domain_checks");
            }
            nodes.getFirst().http().get("/v0/domains/one.example").is(200);
            nodes.getFirst()
                    .as(nodes.getFirst().otherOrganization())
                    .post("/v0/domains/one.example/verify", "")
                    .is(404);
        } finally {
            close(nodes);
        }
    }

    @Test
    @Proves("A29")
    void aPollingTokenHasTheRateOfAKeyAndBadOnesThatOfBadKeys() {
        List<World> nodes = nodes(Map.of("INBOXD_LIMITS", "requests=5"));
        try {
            Answer made = nodes.getFirst()
                    .http()
                    .post(
                            "/v0/webhooks/polling",
                            json("client_id", "queue", "event_types", List.of("message.received")))
                    .is(200);
            Map<?, ?> token = (Map<?, ?>) Objects.requireNonNull(
                    Json.parse(Base64.getDecoder().decode(made.text("token").substring("auto_v1_".length()))));
            String good = String.valueOf(token.get("tok"));
            String app = "/api/v1/app/" + token.get("aid");
            String queue = app + "/polling-endpoint/" + made.text("webhook_id") + "/consumer/one";
            IntFunction<Answer> calls = i -> switch (i % 3) {
                case 0 -> nodes.get(i % 2).as(good).get(queue);
                case 1 -> nodes.get(i % 2).as(good).post(queue + "/commit", json("offset", 1));
                default ->
                    nodes.get(i % 2)
                            .as(good)
                            .send("PUT", app + "/endpoint/" + made.text("webhook_id") + "/auto-config", "{}");
            };
            Refused refused = until(calls);
            assertThat(refused.before()).isBetween(9, 100);
            assertThat(refused.answer().text("code")).isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED.wireName());
            assertThat(refused.answer().text("detail")).contains("Too many requests");
            assertThat(refused.answer().header("Retry-After")).isEqualTo("1");
            nodes.forEach(node -> node.advance(Duration.ofSeconds(10)));
            Refused bad = until(i -> nodes.get(i % 2).as("wrong" + i).get(queue));
            assertThat(bad.before()).isBetween(20, 100);
            assertThat(bad.answer().text("detail")).contains("Too many refusals");
            nodes.getLast().as(good).get(queue).is(200);
        } finally {
            close(nodes);
        }
    }

    private static Answer signUp(World node, String human, String username) {
        return node.anonymous().post("/v0/agent/sign-up", body(human, username));
    }

    private static Answer signUpFrom(World node, String address, String human, String username) {
        return node.anonymous().with("X-Forwarded-For", address).post("/v0/agent/sign-up", body(human, username));
    }

    private static String body(String human, String username) {
        return json("human_email", human, "username", username);
    }
}
