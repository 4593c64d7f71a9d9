package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** API keys as a client sees them. */
class ApiKeyHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aKeyKnowsWhoItIs() {
        Answer me = world.http().get("/v0/auth/me").is(200);
        String organization = me.text("organization_id");
        assertThat(me.at(""))
                .isEqualTo(Map.of(
                        "scope_type",
                        "organization",
                        "scope_id",
                        organization,
                        "organization_id",
                        organization,
                        "api_key_id",
                        me.text("api_key_id")));
        assertThat(UUID.fromString(me.text("api_key_id"))).isNotNull();
    }

    @Test
    void aKeyWithNoPermissionAtAllStillKnowsWhoItIs() {
        Answer key = create(world.key(), json("permissions", Map.of()));
        assertThat(key.at("permissions")).isEqualTo(Map.of());
        world.as(key.text("api_key")).get("/v0/auth/me").is(200);
        Refusal.of(
                world.as(key.text("api_key")).get("/v0/inboxes"),
                ErrorCode.MISSING_PERMISSION,
                "inbox_read",
                "POST /v0/api-keys");
    }

    @Test
    void aNewKeyShowsItsSecretOnceAndWorksAtOnce() {
        Answer key = create(world.key(), json("name", " build server "));
        assertThat(names(key))
                .containsExactlyInAnyOrder(
                        "type", "api_key_id", "api_key", "prefix", "name", "created_at", "updated_at");
        assertThat(key.header("Cache-Control")).isEqualTo("no-store");
        String secret = key.text("api_key");
        assertThat(secret).startsWith("inb_").hasSize(47);
        assertThat(key.text("prefix")).isEqualTo(secret.substring(0, 12));
        assertThat(key.text("name")).isEqualTo("build server");
        Answer again =
                world.as(secret).get("/v0/api-keys/" + key.text("api_key_id")).is(200);
        assertThat(names(again))
                .containsExactlyInAnyOrder("type", "api_key_id", "prefix", "name", "created_at", "updated_at");
        assertThat(again.text("type")).isEqualTo("bearer");
    }

    @Test
    void aKeyCreatedWithoutABodyIsNamedAfterItsId() {
        Answer key = world.http().post("/v0/api-keys", "").is(200);
        assertThat(key.text("name"))
                .isEqualTo("API key " + key.text("api_key_id").substring(0, 8));
    }

    @Test
    void aRestrictedKeyIsShownWithItsTrueFlagsAlone() {
        Answer key = create(world.key(), """
                {"permissions":{"inbox_read":true,"message_read":false,"app_connect":true}}""");
        Map<String, Boolean> expected = Map.of("inbox_read", true, "provider_connect", true, "app_connect", true);
        assertThat(key.at("permissions")).isEqualTo(expected);
        assertThat(world.http().get("/v0/api-keys/" + key.text("api_key_id")).at("permissions"))
                .isEqualTo(expected);
    }

    @Test
    @Proves("P12")
    void aDeletedKeyStopsAtOnceAndCannotBeDeletedTwice() {
        Answer key = create(world.key(), "{}");
        String path = "/v0/api-keys/" + key.text("api_key_id");
        Answer gone = world.as(key.text("api_key")).delete(path).is(200);
        assertThat(gone.body()).isEmpty();
        Refusal.of(world.as(key.text("api_key")).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY, "inb_");
        assertThat(Refusal.of(world.http().delete(path), ErrorCode.NOT_FOUND).text("message"))
                .isEqualTo("ApiKey not found");
        Refusal.of(world.http().get(path), ErrorCode.NOT_FOUND);
    }

    @Test
    void idsThatAreNoneAreNotFound() {
        Refusal.of(world.http().get("/v0/api-keys/nonsense"), ErrorCode.NOT_FOUND);
        Refusal.of(world.http().get("/v0/api-keys/" + UUID.randomUUID()), ErrorCode.NOT_FOUND);
    }

    @Test
    void keysAreListedNewestFirstAndPageByPageWithoutALimitMember() {
        try (World own = World.start()) {
            String oldest = own.http().get("/v0/auth/me").text("api_key_id");
            String second = own.http().post("/v0/api-keys", "{}").text("api_key_id");
            String third = own.http().post("/v0/api-keys", "{}").text("api_key_id");
            Answer all = own.http().get("/v0/api-keys").is(200);
            assertThat(names(all)).containsExactlyInAnyOrder("count", "api_keys");
            assertThat(ids(all)).containsExactly(third, second, oldest);
            assertThat(ids(own.http().get("/v0/api-keys?ascending=true&type=bearer")))
                    .containsExactly(oldest, second, third);
            Answer first = own.http().get("/v0/api-keys?limit=2").is(200);
            assertThat(ids(first)).containsExactly(third, second);
            assertThat(ids(own.http().get("/v0/api-keys?limit=2&page_token=" + first.text("next_page_token"))))
                    .containsExactly(oldest);
            assertThat(ids(own.http().get("/v0/api-keys?type=public_key"))).isEmpty();
            Refusal.ofMember(own.http().get("/v0/api-keys?type=magic"), "type");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"name":""} | name
                    {"name":"   "} | name
                    {"name":7} | name
                    {"name":"a\\r\\nb"} | name
                    {"permissions":true} | permissions
                    {"permissions":{"everything":true}} | permissions,everything
                    {"permissions":{"organization_read":true}} | permissions,organization_read
                    {"permissions":{"inbox_read":1}} | permissions,inbox_read
                    {"permissions":{"inbox_read":null}} | permissions,inbox_read
                    {"permissions":{"app_connect":true,"provider_connect":false}} | permissions,provider_connect
                    {"expires_at":"tomorrow"} | expires_at
                    {"expires_at":"2020-01-01T00:00:00Z"} | expires_at
                    {"expires_at":"2999-01-01T00:00:00Z"} | expires_at""")
    void whatIsWrongWithANewKeyIsNamed(String body, String path) {
        Refusal.ofMember(world.http().post("/v0/api-keys", body), path.split(",", -1));
    }

    @Test
    @Proves("P10a")
    void onlyAnUnrestrictedKeyCreatesAnUnrestrictedKey() {
        assertThat(create(world.key(), json("permissions", null)).at("permissions"))
                .isNull();
        String restricted = restricted("api_key_create", "inbox_read").text("api_key");
        Refusal.of(
                world.as(restricted).post("/v0/api-keys", json("permissions", null)),
                ErrorCode.UNRESTRICTED_KEY_REQUIRED,
                "permissions is null");
    }

    @Test
    void aRestrictedKeyThatAsksForNothingPassesOnWhatItHolds() {
        String parent =
                restricted("api_key_create", "inbox_read", "provider_connect").text("api_key");
        assertThat(create(parent, "{}").at("permissions"))
                .isEqualTo(Map.of("api_key_create", true, "inbox_read", true));
    }

    @Test
    @Proves("A28")
    void nobodyGivesWhatHeDoesNotHold() {
        String parent = restricted("api_key_create", "inbox_read").text("api_key");
        Refusal.of(
                world.as(parent).post("/v0/api-keys", """
                {"permissions":{"inbox_read":true,"message_send":true,"provider_connect":true}}"""),
                ErrorCode.PERMISSION_ESCALATION,
                "message_send",
                "provider_connect");
        create(parent, json("permissions", object("inbox_read", true, "message_send", false)));
        String child = create(world.key(), "{}").text("api_key");
        Refusal.of(
                world.as(child).post("/v0/api-keys", json("permissions", object("provider_connect", true))),
                ErrorCode.PERMISSION_ESCALATION,
                "provider_connect");
    }

    @Test
    @Proves("P10a")
    void aKeyNeverOutlivesTheOneThatMadeIt() {
        String expiry = Timestamps.format(world.clock().instant().plus(Duration.ofDays(1)));
        Answer parent = create(world.key(), json("expires_at", expiry));
        assertThat(parent.text("expires_at")).isEqualTo(expiry);
        String secret = parent.text("api_key");
        assertThat(create(secret, "{}").text("expires_at")).isEqualTo(expiry);
        Instant later = Instant.parse(expiry).plusSeconds(1);
        Refusal.ofMember(world.as(secret).post("/v0/api-keys", json("expires_at", later.toString())), "expires_at");
        create(secret, json("expires_at", Timestamps.format(later.minusSeconds(2))));
    }

    @Test
    void eachRouteAsksForItsFlag() {
        String nothing = create(world.key(), json("permissions", Map.of())).text("api_key");
        Refusal.of(world.as(nothing).get("/v0/api-keys"), ErrorCode.MISSING_PERMISSION, "api_key_read");
        Refusal.of(world.as(nothing).get("/v0/api-keys/x"), ErrorCode.MISSING_PERMISSION, "api_key_read");
        Refusal.of(world.as(nothing).post("/v0/api-keys", "{"), ErrorCode.MISSING_PERMISSION, "api_key_create");
        Refusal.of(world.as(nothing).patch("/v0/api-keys/x", "{"), ErrorCode.MISSING_PERMISSION, "api_key_update");
        Refusal.of(world.as(nothing).delete("/v0/api-keys/x"), ErrorCode.MISSING_PERMISSION, "api_key_delete");
    }

    @Test
    void anOrganizationHasAsManyKeysAsTheOperatorAllows() {
        try (World own = World.start(Map.of("INBOXD_LIMITS", "api_keys=2"))) {
            String second = own.http().post("/v0/api-keys", "{}").is(200).text("api_key_id");
            Refusal.of(own.http().post("/v0/api-keys", "{}"), ErrorCode.LIMIT_EXCEEDED, "DELETE /v0/api-keys");
            own.http().delete("/v0/api-keys/" + second).is(200);
            own.http().post("/v0/api-keys", "{}").is(200);
        }
    }

    private static Answer create(String key, String body) {
        return world.as(key).post("/v0/api-keys", body).is(200);
    }

    private static Answer restricted(String... flags) {
        return create(world.key(), """
                {"permissions":{"%s":true}}""".formatted(String.join("\":true,\"", flags)));
    }

    private static Set<Object> names(Answer answer) {
        return answer.at("") instanceof Map<?, ?> object ? Set.copyOf(object.keySet()) : Set.of();
    }

    private static List<Object> ids(Answer list) {
        return list.list("api_keys").stream()
                .<Object>map(key -> key instanceof Map<?, ?> object ? object.get("api_key_id") : "")
                .toList();
    }
}
