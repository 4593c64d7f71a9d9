package dev.inboxd.account.session;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Signing in to the console, and sessions as credentials (identity.md §17). */
class SessionHttpTest {
    private static final AtomicInteger HUMANS = new AtomicInteger();

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_PUBLIC_URL", "http://inboxd.test"));

    private final String human = "human-" + HUMANS.incrementAndGet() + "@people.test";

    @BeforeEach
    void admit() {
        assertThat(world.database()
                        .<Boolean>writeGlobal(tx -> OrganizationHumans.claim(tx, human, world.organization())))
                .isTrue();
    }

    @Test
    void aCodeOpensASessionThatActsForTheOrganization() {
        Answer opened = signedIn();
        assertThat(Duration.between(world.clock().instant(), Instant.parse(opened.text("expires_at"))))
                .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        assertThat(opened.text("organization_id"))
                .isEqualTo(world.organization().toString());
        assertThat(opened.header("Cache-Control")).isEqualTo("no-store");
        String token = opened.text("session_token");
        assertThat(world.as(token).get("/v0/auth/me").is(200).at(""))
                .isEqualTo(Map.of(
                        "scope_type",
                        "organization",
                        "scope_id",
                        world.organization().toString(),
                        "organization_id",
                        world.organization().toString()));
        world.as(token).post("/v0/inboxes", "{}").is(200);
        Answer who = world.as(token).get("/console/session").is(200);
        assertThat(who.text("human_email")).isEqualTo(human);
        assertThat(who.text("user_id")).isEqualTo(opened.text("user_id"));
        assertThat(signedIn().text("user_id")).as("the same human").isEqualTo(who.text("user_id"));
    }

    @Test
    void aSessionMakesKeysOfEveryKindOfPower() {
        String token = signedIn().text("session_token");
        assertThat(world.as(token)
                        .post("/v0/api-keys", json("permissions", null))
                        .is(200)
                        .at("permissions"))
                .isNull();
        Answer key = world.as(token)
                .post("/v0/api-keys", json("permissions", object("provider_connect", true, "message_release", true)))
                .is(200);
        assertThat(key.at("permissions"))
                .isEqualTo(Map.of("provider_connect", true, "app_connect", true, "message_release", true));
        world.as(token)
                .patch("/v0/api-keys/" + key.text("api_key_id"), json("permissions", null))
                .is(200);
    }

    @Test
    @Proves("A31a")
    void whereKeysAloneAreTakenATokenIsTheWrongType() {
        String token = signedIn().text("session_token");
        Refusal.of(
                world.as(token).post("/v0/agent/verify", json("otp_code", "123456")),
                ErrorCode.INVALID_TOKEN_TYPE,
                "inb_");
        Refusal.of(world.as(token).post("/v0/agent/human", "{}"), ErrorCode.INVALID_TOKEN_TYPE, "inb_");
        Refusal.of(
                world.as(token).post("/v0/api-keys", json("public_key", Map.of())),
                ErrorCode.INVALID_TOKEN_TYPE,
                "inb_");
    }

    @Test
    @Proves("P12")
    void anEndedSessionIsDeadAtOnceOnEveryNode() {
        Answer first = signedIn();
        Answer second = signedIn();
        try (World beside = world.beside()) {
            beside.as(first.text("session_token")).get("/console/session").is(200);
            assertThat(world.as(first.text("session_token"))
                            .delete("/console/session")
                            .is(200)
                            .body())
                    .isEmpty();
            Refusal.of(
                    beside.as(first.text("session_token")).get("/v0/auth/me"),
                    ErrorCode.UNAUTHORIZED,
                    "/console/sign-in");
        }
        Refusal.of(
                world.as(first.text("session_token")).get("/v0/auth/me"), ErrorCode.UNAUTHORIZED, "/console/sign-in");
        Refusal.of(world.as(first.text("session_token")).delete("/console/session"), ErrorCode.UNAUTHORIZED);
        world.as(second.text("session_token")).get("/v0/auth/me").is(200);
        world.as(second.text("session_token")).delete("/console/sessions").is(200);
        Refusal.of(world.as(second.text("session_token")).get("/v0/auth/me"), ErrorCode.UNAUTHORIZED);
    }

    @Test
    void theSessionsOfAHumanAreListedAndEndedOneByOne() {
        Answer first = signedIn();
        Answer second = signedIn();
        HttpProbe one = world.as(first.text("session_token"));
        Answer listed = one.get("/console/sessions").is(200);
        assertThat(listed.text("sessions.0.session_id")).isEqualTo(second.text("session_id"));
        assertThat(listed.at("sessions.0.is_current")).isEqualTo(false);
        assertThat(listed.text("sessions.1.session_id")).isEqualTo(first.text("session_id"));
        assertThat(listed.at("sessions.1.is_current")).isEqualTo(true);
        one.delete("/console/sessions/" + second.text("session_id")).is(200);
        Refusal.of(world.as(second.text("session_token")).get("/v0/auth/me"), ErrorCode.UNAUTHORIZED);
        assertThat(one.get("/console/sessions").is(200).list("sessions")).hasSize(1);
        Refusal.of(one.delete("/console/sessions/" + second.text("session_id")), ErrorCode.NOT_FOUND);
        Refusal.of(one.delete("/console/sessions/x"), ErrorCode.NOT_FOUND);
        String foreign = world.session(); // of another human
        String id = world.as(foreign).get("/console/session").is(200).text("session_id");
        Refusal.of(one.delete("/console/sessions/" + id), ErrorCode.NOT_FOUND);
        Refusal.of(world.http().get("/console/sessions"), ErrorCode.UNAUTHORIZED);
    }

    @Test
    void whoStandsBehindTheOrganizationNoLongerHasNoSession() {
        String token = signedIn().text("session_token");
        world.database().runGlobal(tx -> {
            OrganizationHumans.release(tx, human, world.organization());
        });
        Refusal.of(world.as(token).get("/v0/auth/me"), ErrorCode.UNAUTHORIZED);
    }

    @Test
    void aTokenLivesAnHourAndIsRenewedForTwelve() {
        String token = signedIn().text("session_token");
        for (int minutes = 0; minutes < 11 * 60; minutes += 55) {
            world.advance(Duration.ofMinutes(55));
            String next =
                    world.as(token).post("/console/session/renew", "").is(200).text("session_token");
            world.as(next).get("/v0/auth/me").is(200);
            assertThat(next).isNotEqualTo(token);
            token = next;
        }
        Answer session = world.as(token).get("/console/session").is(200);
        Answer last = world.as(token).post("/console/session/renew", "").is(200);
        assertThat(Instant.parse(last.text("expires_at")))
                .isBeforeOrEqualTo(Instant.parse(session.text("session_expires_at")));
        world.advance(Duration.ofHours(1));
        assertThat(Refusal.of(world.as(token).get("/v0/auth/me"), ErrorCode.UNAUTHORIZED, "renew")
                        .text("message"))
                .contains("expired");
        Refusal.of(world.as(token).post("/console/session/renew", ""), ErrorCode.UNAUTHORIZED);
    }

    @Test
    void aKeyIsNoSession() {
        Refusal.of(world.http().get("/console/session"), ErrorCode.UNAUTHORIZED, "/console/sign-in");
        Refusal.of(world.http().post("/console/session/renew", ""), ErrorCode.UNAUTHORIZED);
        Refusal.of(world.anonymous().get("/console/session"), ErrorCode.MISSING_AUTHORIZATION);
    }

    @Test
    @Proves("A30")
    void fiftyWrongCodesAtOnceAreTenAttempts() throws Exception {
        String code = codeFor(human);
        Callable<Answer> wrong = () -> open(human, code.equals("000000") ? "000001" : "000000");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(threads.invokeAll(Stream.generate(() -> wrong).limit(50).toList()).stream()
                            .map(Future::resultNow)
                            .toList())
                    .allSatisfy(answer -> Refusal.ofMember(answer, "code"));
        }
        int attempts = world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select c.attempts" + " from sign_in_code c where {c} and c.human_email = :human")
                        .bind("human", human)
                        .single(row -> row.integer("attempts")));
        assertThat(attempts).isEqualTo(10);
        Refusal.ofMember(open(human, code), "code");
        open(human, codeFor(human)).is(200);
    }

    @Test
    void aCodeOpensOnceAndForTenMinutes() {
        String code = codeFor(human);
        open(human, " " + code).is(200);
        Refusal.ofMember(open(human, code), "code");
        String late = codeFor(human);
        world.advance(Duration.ofMinutes(10));
        Refusal.ofMember(open(human, late), "code");
    }

    @Test
    @Proves("A30")
    void aStrangerHearsTheSameAndGetsNothing() {
        int letters = world.letters(human).size();
        Answer known = world.anonymous()
                .post("/console/sign-in", json("human_email", human))
                .is(200);
        Answer unknown = world.anonymous()
                .post("/console/sign-in", json("human_email", "no-" + human))
                .is(200);
        assertThat(unknown.at("")).isEqualTo(known.at(""));
        world.lettersSince(human, letters);
        assertThat(world.letters("no-" + human)).isEmpty();
        Answer wrong = Refusal.ofMember(open(human, "000000".equals(code()) ? "000001" : "000000"), "code");
        Answer stranger = Refusal.ofMember(open("no-" + human, "000000"), "code");
        assertThat(List.of(stranger.text("message"), stranger.text("fix")))
                .isEqualTo(List.of(wrong.text("message"), wrong.text("fix")));
    }

    @Test
    void whatIsMissingIsNamed() {
        Refusal.ofMember(world.anonymous().post("/console/sign-in", "{}"), "human_email");
        Refusal.ofMember(world.anonymous().post("/console/sign-in", json("human_email", "nobody")), "human_email");
        Refusal.ofMember(open(human, "12345"), "code");
    }

    @Test
    void theHumanOfAnUnverifiedAgentSignsInWithWhatItMay() {
        String agents = "agents-" + human;
        world.anonymous()
                .post(
                        "/v0/agent/sign-up",
                        json("human_email", agents, "username", "console-" + HUMANS.incrementAndGet()))
                .is(200);
        String token = open(agents, codeFor(agents)).is(200).text("session_token");
        Refusal.of(world.as(token).post("/v0/api-keys", "{}"), ErrorCode.MISSING_PERMISSION, "api_key_create");
        world.as(token).get("/v0/inboxes").is(200);
    }

    @Test
    @Proves("A31a")
    void noForgedTokenIsTaken() throws Exception {
        String good = signedIn().text("session_token");
        SignedJWT read = SignedJWT.parse(good);
        JWTClaimsSet claims = read.getJWTClaimsSet();
        ECKey ours = storedKey(read.getHeader().getKeyID());
        ECKey foreign = new ECKeyGenerator(Curve.P_256).keyID(ours.getKeyID()).generate();
        JOSEObjectType type = new JOSEObjectType("console+jwt");
        assertThat(read.getHeader().getType()).isEqualTo(type);
        world.as(signed(ours, type, claims)).get("/v0/auth/me").is(200);
        String[] parts = good.split("\\.", -1);
        for (String forged : List.of(
                signed(foreign, type, claims),
                signed(ours, new JOSEObjectType("JWT"), claims),
                signed(ours, new JOSEObjectType("at+jwt"), claims),
                signed(ours, type, changed(claims, "iss", "https://elsewhere.test")),
                signed(ours, type, changed(claims, "org", UUID.randomUUID().toString())),
                signed(ours, type, changed(claims, "org", "nonsense")),
                signed(ours, type, changed(claims, "sid", UUID.randomUUID().toString())),
                signed(ours, type, changed(claims, "sid", null)),
                signed(ours, type, changed(claims, "sub", UUID.randomUUID().toString())),
                signed(ours, type, changed(claims, "exp", null)),
                signed(
                        ours,
                        type,
                        changed(claims, "exp", Date.from(world.clock().instant().minusSeconds(1)))),
                unsigned(parts[1]),
                hmac(ours, type, claims),
                parts[0] + "." + parts[1] + "." + "A".repeat(parts[2].length()),
                parts[0] + "." + parts[1].substring(1) + "." + parts[2],
                parts[0] + "." + encoded(json("sub", "x")) + "." + parts[2],
                encoded("{}") + "." + parts[1] + "." + parts[2],
                encoded(json("alg", "ES256", "typ", "console+jwt")) + "." + parts[1] + "." + parts[2],
                encoded("not json") + "." + parts[1] + "." + parts[2],
                parts[0] + "." + "A".repeat(4_000) + "." + parts[2])) {
            Refusal.of(world.as(forged).get("/v0/auth/me"), ErrorCode.UNAUTHORIZED);
        }
    }

    @Test
    void aNewKeySignsAfterAMonthAndTheOldOneGoes() throws Exception {
        String first =
                SignedJWT.parse(signedIn().text("session_token")).getHeader().getKeyID();
        world.advance(Duration.ofDays(31));
        Answer opened = signedIn();
        world.as(opened.text("session_token")).get("/v0/auth/me").is(200);
        String second =
                SignedJWT.parse(opened.text("session_token")).getHeader().getKeyID();
        assertThat(second).isNotEqualTo(first);
        world.advance(Duration.ofDays(31));
        signedIn();
        int left = world.database()
                .read(tx -> tx.sql("select count(*) as n from session_key k where k.kid = :kid")
                        .bind("kid", first)
                        .single(row -> row.integer("n")));
        assertThat(left).isZero();
    }

    private static String signed(ECKey key, JOSEObjectType type, JWTClaimsSet claims) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(type)
                        .keyID(key.getKeyID())
                        .build(),
                claims);
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    /** The public key as the secret of an HMAC: the old confusion of algorithms. */
    private static String hmac(ECKey key, JOSEObjectType type, JWTClaimsSet claims) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                        .type(type)
                        .keyID(key.getKeyID())
                        .build(),
                claims);
        token.sign(new MACSigner(key.toPublicJWK().toJSONString()));
        return token.serialize();
    }

    private static String unsigned(String claims) {
        return encoded(json("alg", "none", "typ", "console+jwt")) + "." + claims + ".AA";
    }

    private static String encoded(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static JWTClaimsSet changed(JWTClaimsSet claims, String name, @Nullable Object value) {
        return new JWTClaimsSet.Builder(claims).claim(name, value).build();
    }

    private static ECKey storedKey(String kid) throws Exception {
        byte[] sealed = world.database()
                .read(tx -> tx.sql("select k.private_key from session_key k where k.kid = :kid")
                        .bind("kid", kid)
                        .single(row -> row.bytes("private_key")));
        return ECKey.parse(new String(world.vault().open("session key", sealed), StandardCharsets.UTF_8));
    }

    private Answer signedIn() {
        return open(human, codeFor(human)).is(200);
    }

    private static String codeFor(String email) {
        int known = world.letters(email).size();
        world.anonymous().post("/console/sign-in", json("human_email", email)).is(200);
        world.lettersSince(email, known);
        return code(email);
    }

    private static Answer open(String email, String code) {
        return world.anonymous().post("/console/session", json("human_email", email, "code", code));
    }

    private String code() {
        return code(human);
    }

    private static String code(String email) {
        return world.letters(email).reversed().stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.length() == 6 && line.chars().allMatch(Character::isDigit))
                .findFirst()
                .orElseThrow();
    }
}
