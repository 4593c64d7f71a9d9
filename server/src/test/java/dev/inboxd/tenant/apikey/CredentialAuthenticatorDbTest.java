package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a header to a caller, and every way in which that fails (identity.md §2). */
class CredentialAuthenticatorDbTest {
    private static final CredentialAuthenticator.Means KEYS_ALONE =
            new CredentialAuthenticator.Means(CredentialAuthenticatorDbTest::noSession, _ -> null);

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void withoutAHeaderOrWithAnotherSchemeAuthorizationIsMissing() {
        Refusal.of(
                world.anonymous().get("/v0/auth/me"),
                ErrorCode.MISSING_AUTHORIZATION,
                "Authorization: Bearer",
                "POST /v0/api-keys");
        for (String value : List.of("Bearer", "bearer " + world.key(), "Basic x", "Bearer a b")) {
            Refusal.of(
                    world.anonymous().with("Authorization", value).get("/v0/auth/me"),
                    ErrorCode.MISSING_AUTHORIZATION,
                    "Authorization: Bearer");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inb_nonsense",
                "am_us_x",
                "a.b",
                "a..c",
                "a.b.c.d",
                ".b.c",
                "a.b.",
                "é.b.c",
                "a.b.c=",
                "..",
                "00000000-0000-7000-8000-000000000000"
            })
    void whatIsNoKeyOfOursIsUnknown(String key) {
        assertThatThrownBy(() -> authenticate(key))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNKNOWN_API_KEY));
    }

    @Test
    @Proves("A29")
    void aKeyInAnotherCaseIsAnotherKeyEvenOnTheSameConnection() {
        world.http().get("/v0/auth/me").is(200);
        Refusal.of(world.as(world.key().toUpperCase(Locale.ROOT)).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY);
    }

    @Test
    void anUnknownKeyIsToldTheFormOfKeys() {
        Refusal.of(world.as("inb_nonsense").get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY, "inb_", "POST /v0/api-keys");
    }

    @Test
    void aSessionTokenIsNotValidAndWhereKeysAloneAreTakenItIsTheWrongType() {
        Refusal.of(world.as("eyJh.eyJz.c2ln-_").get("/v0/auth/me"), ErrorCode.UNAUTHORIZED, "Authorization: Bearer");
        Refusal.of(world.as("eyJh.eyJz.c2ln-_").post("/v0/agent/verify", ""), ErrorCode.INVALID_TOKEN_TYPE, "inb_");
    }

    @Test
    @Proves("P12")
    void anExpiredKeySaysSoUntilItIsDeleted() {
        Instant expiry = world.clock().instant().plus(Duration.ofHours(2));
        Answer key = world.http()
                .post("/v0/api-keys", json("expires_at", Timestamps.format(expiry)))
                .is(200);
        String secret = key.text("api_key");
        world.advance(Duration.ofHours(2).minusMinutes(1));
        world.as(secret).get("/v0/auth/me").is(200);
        world.advance(Duration.ofMinutes(1));
        Answer expired = Refusal.of(world.as(secret).get("/v0/auth/me"), ErrorCode.API_KEY_EXPIRED, "Create a new key");
        assertThat(expired.text("message")).contains(Timestamps.format(expiry));
        world.http().get("/v0/api-keys/" + key.text("api_key_id")).is(200);
        world.http().delete("/v0/api-keys/" + key.text("api_key_id")).is(200);
        Refusal.of(world.as(secret).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY);
    }

    @Test
    void aDeletedKeyLeavesNothingBehind() {
        int before = secrets();
        Answer key = world.http().post("/v0/api-keys", "{}").is(200);
        assertThat(secrets()).isEqualTo(before + 1);
        world.http().delete("/v0/api-keys/" + key.text("api_key_id")).is(200);
        assertThat(secrets()).isEqualTo(before);
    }

    @Test
    @Proves("P12")
    void theKeysOfAnInboxGoWithIt() {
        String inbox = world.inbox("short-lived");
        int before = secrets();
        String inboxKey = issue(owner(inbox), ApiKey.Grant.UNRESTRICTED);
        world.as(inboxKey).get("/v0/inboxes/" + inbox).is(200);
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        Refusal.of(world.as(inboxKey).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY);
        assertThat(secrets()).isEqualTo(before);
        world.http().get("/v0/auth/me").is(200);
    }

    @Test
    void anInboxKeyActsInItsInboxAlone() {
        String inbox = world.inbox("narrow");
        ApiKey.Owner owner = owner(inbox);
        String secret = issue(owner, ApiKey.Grant.UNRESTRICTED);
        Answer me = world.as(secret).get("/v0/auth/me").is(200);
        assertThat(me.text("scope_type")).isEqualTo("inbox");
        assertThat(me.text("scope_id")).isEqualTo(inbox);
        assertThat(me.text("inbox_id")).isEqualTo(inbox);
        assertThat(me.text("pod_id")).isEqualTo(String.valueOf(owner.pod()));
        Answer child = world.as(secret).post("/v0/api-keys", "{}").is(200);
        assertThat(child.text("inbox_id")).isEqualTo(inbox);
        assertThat(child.text("pod_id")).isEqualTo(String.valueOf(owner.pod()));
        assertThat(world.as(secret).get("/v0/api-keys").is(200).list("api_keys"))
                .hasSize(2);
        world.http().get("/v0/api-keys/" + child.text("api_key_id")).is(200);
        String first = world.http().get("/v0/auth/me").text("api_key_id");
        Refusal.of(world.as(secret).get("/v0/api-keys/" + first), ErrorCode.NOT_FOUND);
        Refusal.of(world.as(secret).delete("/v0/api-keys/" + first), ErrorCode.NOT_FOUND);
        Refusal.of(
                world.as(secret).post("/v0/inboxes", "{}"),
                ErrorCode.MISSING_PERMISSION,
                "inbox_create",
                "bound to one inbox");
        Refusal.of(
                world.as(secret).get("/v0/organizations"),
                ErrorCode.MISSING_PERMISSION,
                "organization_read",
                "bound to one inbox");
    }

    @Test
    void aPodKeyMakesKeysOfItsPod() {
        ApiKey.Owner inbox = owner(world.inbox("in-pod"));
        String secret = issue(new ApiKey.Owner(inbox.pod(), null, null), ApiKey.Grant.UNRESTRICTED);
        assertThat(world.as(secret).get("/v0/auth/me").text("scope_type")).isEqualTo("pod");
        Answer child = world.as(secret).post("/v0/api-keys", "{}").is(200);
        assertThat(child.text("pod_id")).isEqualTo(String.valueOf(inbox.pod()));
        assertThat(child.at("inbox_id")).isNull();
        String first = world.http().get("/v0/auth/me").text("api_key_id");
        world.as(secret).get("/v0/api-keys/" + child.text("api_key_id")).is(200);
        Refusal.of(world.as(secret).get("/v0/api-keys/" + first), ErrorCode.NOT_FOUND);
        Refusal.of(
                world.as(secret).get("/v0/organizations"),
                ErrorCode.MISSING_PERMISSION,
                "organization_read",
                "bound to one pod");
    }

    @Test
    void aKeyMeansWhatItsRowSays() {
        Caller root = authenticate(world.key());
        assertThat(root.scope()).isEqualTo(Scope.ORGANIZATION);
        assertThat(root.unrestricted()).isTrue();
        assertThat(root.granted())
                .contains(Permission.PROVIDER_CONNECT, Permission.POD_CREATE)
                .doesNotContain(Permission.MESSAGE_RELEASE);
        assertThat(root.view().hidden()).isZero();
        Caller plain = authenticate(issue(ApiKey.Owner.ORGANIZATION, ApiKey.Grant.UNRESTRICTED));
        assertThat(plain.granted()).contains(Permission.POD_CREATE).doesNotContain(Permission.PROVIDER_CONNECT);
        Caller reader = authenticate(issue(
                ApiKey.Owner.ORGANIZATION,
                ApiKey.Grant.of(Set.of(Permission.MESSAGE_READ, Permission.LABEL_SPAM_READ))));
        assertThat(reader.unrestricted()).isFalse();
        assertThat(reader.granted()).containsExactlyInAnyOrder(Permission.MESSAGE_READ, Permission.LABEL_SPAM_READ);
        assertThat(reader.view().hidden())
                .isEqualTo(RestrictedLabel.ALL - RestrictedLabel.SPAM.bit() - RestrictedLabel.HELD.bit());
    }

    /** What is remembered of a secret is whose it is, and nothing else. */
    @Test
    @Proves("P12")
    void aKeyThatWasSeenBeforeIsWhatItsRowSaysNowOrNothing() {
        CredentialAuthenticator authentication = new CredentialAuthenticator(
                world.database(), world.clock(), new KeyUsage(world.database()), KEYS_ALONE);
        Answer key = world.http().post("/v0/api-keys", "{}").is(200);
        String path = "/v0/api-keys/" + key.text("api_key_id");
        String secret = key.text("api_key");
        for (int i = 0; i < 2; i++) {
            assertThat(authentication.authenticate(secret, Gate.ANY_KEY).granted())
                    .contains(Permission.POD_CREATE);
        }
        world.http()
                .patch(path, json("permissions", object("message_read", true)))
                .is(200);
        assertThat(authentication.authenticate(secret, Gate.ANY_KEY).granted())
                .containsExactly(Permission.MESSAGE_READ);
        world.http().delete(path).is(200);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> authentication.authenticate(secret, Gate.ANY_KEY))
                    .isInstanceOfSatisfying(
                            Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNKNOWN_API_KEY));
        }
    }

    @Test
    void aUseIsWrittenOncePerMinute() {
        KeyUsage use = new KeyUsage(world.database());
        CredentialAuthenticator authentication =
                new CredentialAuthenticator(world.database(), world.clock(), use, KEYS_ALONE);
        String secret = issue(ApiKey.Owner.ORGANIZATION, ApiKey.Grant.UNRESTRICTED);
        UUID id = authentication.authenticate(secret, Gate.ANY_KEY).requireKey();
        use.write();
        Instant first = usedAt(id);
        world.advance(Duration.ofSeconds(30));
        authentication.authenticate(secret, Gate.ANY_KEY);
        use.write();
        assertThat(usedAt(id)).isEqualTo(first);
        world.advance(Duration.ofSeconds(40));
        authentication.authenticate(secret, Gate.ANY_KEY);
        use.close();
        assertThat(usedAt(id)).isAfter(first.plusSeconds(60));
    }

    private Caller authenticate(String key) {
        return new CredentialAuthenticator(world.database(), world.clock(), new KeyUsage(world.database()), KEYS_ALONE)
                .authenticate(key, Gate.ANY_KEY);
    }

    private static Caller noSession(String token) {
        throw new AssertionError("no session token: " + token);
    }

    private UUID organization() {
        return UUID.fromString(world.http().get("/v0/auth/me").text("organization_id"));
    }

    private ApiKey.Owner owner(String inbox) {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(organization()),
                                "select i.pod_id, i.inbox_id from inbox i where {i} and i.address = :address")
                        .bind("address", inbox)
                        .single(row -> new ApiKey.Owner(row.uuid("pod_id"), row.uuid("inbox_id"), inbox)));
    }

    /** The routes that bind keys to pods and inboxes are not this issue's. */
    private String issue(ApiKey.Owner owner, ApiKey.Grant grant) {
        UUID organization = organization();
        return world.database()
                .write(
                        organization,
                        tx -> ApiKeys.issue(
                                tx,
                                organization,
                                new ApiKeys.KeySpec("test", owner, grant, null, false),
                                tx.next().at()))
                .secret();
    }

    private Instant usedAt(UUID key) {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(organization()),
                                "select k.used_at from api_key k where {k} and k.api_key_id = :key")
                        .bind("key", key)
                        .single(row -> row.instant("used_at")));
    }

    private int secrets() {
        return world.database()
                .read(tx -> tx.sql("select count(*) as n from api_key_secret").single(row -> row.integer("n")));
    }
}
