package dev.inboxd.app.oidc;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.app.connect.KeyHolder;
import dev.inboxd.app.oidc.SignInFixture.Browser;
import dev.inboxd.app.oidc.SignInFixture.Holder;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Approvals by a key of an inbox (apps.md §6.3). */
class ApprovalHttpTest {
    private static final BigInteger N =
            new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);

    @RegisterExtension
    private static final World world = World.start(Map.of("LIMITS", "off"));

    private static UUID app;

    @BeforeAll
    static void start() {
        app = SignInFixture.app(world, "");
    }

    private static Browser browser() {
        return Browser.open(world, app, SignInFixture.usual());
    }

    @Test
    void ofSixApprovalsByTwoKeysOnTwoNodesOneWins() throws Exception {
        String inbox = world.inbox("six");
        List<Holder> holders = List.of(Holder.register(world.http(), inbox), Holder.register(world.http(), inbox));
        Browser browser = browser();
        try (World second = world.beside();
                ExecutorService threads = Executors.newFixedThreadPool(6)) {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Holder holder = holders.get(i % 2);
                World node = i < 3 ? world : second;
                calls.add(() -> holder.approve(node, browser.jti()).status());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> status : threads.invokeAll(calls)) {
                statuses.add(status.get());
            }
            assertThat(statuses).containsExactlyInAnyOrder(204, 409, 409, 409, 409, 409);
        }
    }

    @Test
    void aSignatureInAnyOtherFormIsRefusedAndTheSignInStays() {
        Holder holder = Holder.register(world.http(), world.inbox("forms"));
        String jti = browser().jti();
        String kid = holder.id();
        KeyHolder pair = holder.pair();
        String payload = json("jti", jti, "inbox_id", holder.inbox());
        String right = pair.approval(kid, jti, holder.inbox());
        List<String> unauthorized = List.of(
                pair.jws(json("alg", "none", "typ", "inbox-approval+jwt", "kid", kid), payload),
                pair.jws(json("alg", "HS256", "typ", "inbox-approval+jwt", "kid", kid), payload),
                pair.jws(json("alg", "ES256", "typ", "JWT", "kid", kid), payload),
                pair.jws(json("alg", "ES256", "typ", "inbox-approval+jwt", "kid", kid, "crit", "x"), payload),
                pair.jws("""
                        {"alg":"ES256","typ":"inbox-approval+jwt","kid":"%s","x5c":[]}""".formatted(kid), payload),
                pair.jws("""
                        {"alg":"ES256","typ":"agentid-approval+jwt","kid":"%s","jku":null}""".formatted(kid), payload),
                pair.jws("no object", payload),
                KeyHolder.make().approval(kid, jti, holder.inbox()),
                pair.approval(UUID.randomUUID().toString(), jti, holder.inbox()));
        unauthorized.forEach(each -> Holder.approve(world, each, holder.inbox()).is(401));
        String jti2 = browser().jti();
        String other = pair.approval(kid, jti2, holder.inbox());
        for (BigInteger r : List.of(BigInteger.ZERO, N, BigInteger.ONE)) {
            for (BigInteger s : List.of(BigInteger.ZERO, N)) {
                Holder.approve(world, KeyHolder.forged(other, r, s), holder.inbox())
                        .is(401);
            }
        }
        String der = pair.jws(
                json("alg", "ES256", "typ", "inbox-approval+jwt", "kid", kid),
                json("jti", jti2, "inbox_id", holder.inbox()),
                "SHA256withECDSA");
        Holder.approve(world, der, holder.inbox()).is(401);
        Holder.approve(world, right, holder.inbox()).is(204);
        Holder.approve(world, other, holder.inbox()).is(204);
    }

    @Test
    void whatIsNoCanonicalJwsOfTwoStringsIsInvalidAndTheSignInStays() {
        Holder holder = Holder.register(world.http(), world.inbox("canonical"));
        String jti = browser().jti();
        String header = json("alg", "ES256", "typ", "inbox-approval+jwt", "kid", holder.id());
        String inbox = members("inbox_id", holder.inbox());
        String right = holder.pair().approval(holder.id(), jti, holder.inbox());
        List<String> payloads = List.of(
                """
                {"jti":"%s","jti":"%s",%s}""".formatted(jti, jti, inbox),
                "\uFEFF{\"jti\":\"" + jti + "\"," + inbox + "}",
                "{\"jti\":\"" + jti + "\"," + inbox + "}x",
                """
                {"jti":"%s",%s,"more":"x"}""".formatted(jti, inbox),
                json("jti", jti),
                """
                {"jti":1,%s}""".formatted(inbox));
        payloads.forEach(payload -> Holder.approve(world, holder.pair().jws(header, payload), holder.inbox())
                .is(400));
        List<String> texts =
                List.of(right + "=", right + ".", right + " ", "x".repeat(2_049), "", right.replace('.', '-'));
        texts.forEach(text -> Holder.approve(world, text, holder.inbox()).is(400));
        Holder.approve(world, right, holder.inbox()).is(204);
    }

    @Test
    void anotherInboxOrAnotherSpellingThanTheSignedOneChangesNothing() {
        Holder holder = Holder.register(world.http(), world.inbox("spelling"));
        String stranger = world.inbox("stranger");
        Browser browser = browser();
        String right = holder.pair().approval(holder.id(), browser.jti(), holder.inbox());
        Holder.approve(world, right, stranger).is(400);
        Holder.approve(world, right, holder.inbox().toUpperCase(java.util.Locale.ROOT))
                .is(400);
        String upper = holder.inbox().toUpperCase(java.util.Locale.ROOT);
        Holder.approve(world, holder.pair().approval(holder.id(), browser.jti(), upper), upper)
                .is(404);
        assertThat(browser.state()).isEqualTo("waiting");
    }

    @Test
    void aKeyOfAnotherOrganizationOrInboxApprovesNothing() {
        String mine = world.inbox("mine");
        Holder foreign = Holder.register(world.as(world.otherOrganization()), mine);
        Holder narrow = Holder.register(world.as(world.inboxKey(world.inbox("narrow"))), mine);
        Browser browser = browser();
        Answer one = foreign.approve(world, browser.jti());
        assertThat(one.status()).isIn(403, 404);
        Answer two = narrow.approve(world, browser.jti());
        assertThat(two.status()).isIn(403, 404);
        assertThat(browser.state()).isEqualTo("waiting");
    }

    @Test
    void afterTenFailuresTheSignInIsLeftAlone() {
        Holder holder = Holder.register(world.http(), world.inbox("flood"));
        Browser browser = browser();
        String wrong = KeyHolder.make().approval(holder.id(), browser.jti(), holder.inbox());
        for (int i = 0; i < 10; i++) {
            Holder.approve(world, wrong, holder.inbox()).is(401);
        }
        holder.approve(world, browser.jti()).is(429);
    }

    @Test
    void aPausedInboxAndADisabledAccountDoNotSignIn() {
        String inbox = world.inbox("paused");
        Holder holder = Holder.register(world.http(), inbox);
        SignInFixture.signIn(world, app, holder).is(200);
        String account = world.http().get("/v0/inboxes/" + inbox + "/accounts").text("accounts.0.account_id");
        world.http()
                .patch("/v0/accounts/" + account, json("status", "disabled"))
                .is(200);
        Browser first = browser();
        assertThat(holder.approve(world, first.jti()).is(403).text("code")).isEqualTo("forbidden");
        assertThat(first.state()).isEqualTo("denied");
        assertThat(SignInFixture.parameter(
                        String.valueOf(first.proceed().is(303).header("Location")), "error"))
                .isEqualTo("access_denied");
        world.http().patch("/v0/accounts/" + account, json("status", "enabled")).is(200);
        Browser second = browser();
        holder.approve(world, second.jti()).is(204);
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        assertThat(SignInFixture.parameter(
                        String.valueOf(second.proceed().is(303).header("Location")), "error"))
                .isEqualTo("access_denied");
        Browser third = browser();
        assertThat(holder.approve(world, third.jti()).is(403).text("code")).isEqualTo("inbox_paused");
    }
}
