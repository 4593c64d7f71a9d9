package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Public-key credentials as a client sees them (identity.md §8.5, §9). */
class PublicKeyHttpTest {
    private static final String JWK = """
            {"kty":"EC","crv":"P-256","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",\
            "y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}""";
    private static final String OTHER_JWK = """
            {"kty":"EC","crv":"P-256","x":"fPJ7GI0DT36KUjgDBLUaw8CJaeJ38hs1pgtI_EdmmXg",\
            "y":"B3dVENuO0EApPZrGn3Qw27p9reY86YIpngS3nSJ4c9E"}""";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aRegisteredKeyShowsItsMaterialAndWhoRegisteredIt() {
        String creator = world.http().get("/v0/auth/me").text("api_key_id");
        Answer key = register(world.http(), members("client_id", "laptop"));
        assertThat(key.at("") instanceof Map<?, ?> members ? Set.copyOf(members.keySet()) : Set.of())
                .isEqualTo(Set.of(
                        "type",
                        "api_key_id",
                        "name",
                        "permissions",
                        "created_by",
                        "client_id",
                        "public_key",
                        "created_at",
                        "updated_at"));
        assertThat(key.text("type")).isEqualTo("public_key");
        assertThat(key.at("created_by")).isEqualTo(Map.of("api_key_id", creator));
        assertThat(key.text("name")).isEqualTo("Sign-in key xx0BcA-w");
        assertThat(key.text("public_key.fingerprint")).isEqualTo("xx0BcA-wMohw8atYDJOe6peGModklG2wRHBlXHMvl0M");
        assertThat(key.at("public_key.jwk")).isEqualTo(Json.parse(JWK.getBytes(StandardCharsets.US_ASCII)));
        assertThat(key.at("permissions.inbox_read")).isEqualTo(true);
        assertThat(key.at("permissions.provider_connect"))
                .as("as the registering key has")
                .isEqualTo(true);
        assertThat(key.at("permissions.message_release")).isNull();
        assertThat(world.http().get("/v0/api-keys/laptop").is(200).at("")).isEqualTo(key.at(""));
        assertThat(world.http()
                        .get("/v0/api-keys/" + key.text("api_key_id"))
                        .is(200)
                        .at(""))
                .isEqualTo(key.at(""));
        world.http().delete("/v0/api-keys/laptop").is(200);
    }

    @Test
    @Proves("A33")
    void neitherTheKeyNorItsNameOpensARequest() {
        Answer key = register(world.http(), members("client_id", "no-bearer"));
        for (String credential : List.of(key.text("api_key_id"), "no-bearer", key.text("public_key.fingerprint"))) {
            Refusal.of(world.as(credential).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY);
        }
    }

    @Test
    void theSameAliasReturnsTheSameKey() {
        Answer first = register(world.http(), members("client_id", "again", "name", "Mine"));
        assertThat(register(world.http(), members("client_id", "again")).at("")).isEqualTo(first.at(""));
        assertThat(register(world.http(), members("client_id", "again", "name", "Mine"))
                        .at(""))
                .isEqualTo(first.at(""));
        for (String other : List.of(
                members("name", "Other"),
                members("permissions", object("inbox_read", true)),
                members("permissions", null),
                members("expires_at", "2030-01-01T00:00:00Z"))) {
            Refusal.of(
                    world.http().post("/v0/api-keys", body(JWK, """
                    "client_id":"again",%s""".formatted(other))),
                    ErrorCode.IDEMPOTENCY_CONFLICT,
                    "client_id");
        }
        String inbox = world.inbox("again");
        Refusal.of(
                world.http().post("/v0/inboxes/" + inbox + "/api-keys", body(JWK, members("client_id", "again"))),
                ErrorCode.IDEMPOTENCY_CONFLICT);
    }

    @Test
    void anotherKeyUnderTheSameAliasIsAConflictUntilTheAliasIsFree() {
        String first = register(world.http(), members("client_id", "taken")).text("api_key_id");
        Refusal.of(
                world.http().post("/v0/api-keys", body(OTHER_JWK, members("client_id", "taken"))),
                ErrorCode.IDEMPOTENCY_CONFLICT);
        world.http().delete("/v0/api-keys/taken").is(200);
        Refusal.of(world.http().get("/v0/api-keys/taken"), ErrorCode.NOT_FOUND);
        Answer second = world.http()
                .post("/v0/api-keys", body(OTHER_JWK, members("client_id", "taken")))
                .is(200);
        assertThat(second.text("api_key_id")).isNotEqualTo(first);
    }

    @Test
    void anAliasOfSomebodyElseSaysNothingAboutIt() {
        register(world.http(), members("client_id", "organizations", "name", "canary"));
        String inbox = world.inbox("alias");
        String narrow = world.http()
                .post("/v0/inboxes/" + inbox + "/api-keys", "{}")
                .is(200)
                .text("api_key");
        Refusal.of(world.as(narrow).get("/v0/api-keys/organizations"), ErrorCode.NOT_FOUND);
        Refusal.of(world.as(narrow).delete("/v0/api-keys/organizations"), ErrorCode.NOT_FOUND);
        Answer conflict = Refusal.of(
                world.as(narrow).post("/v0/api-keys", body(JWK, members("client_id", "organizations"))),
                ErrorCode.IDEMPOTENCY_CONFLICT);
        assertThat(conflict.text()).doesNotContain("canary");
    }

    @Test
    void manyAtOnceRegisterOne() throws Exception {
        Callable<Answer> call = () -> register(world.http(), members("client_id", "crowd"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(threads.invokeAll(Stream.generate(() -> call).limit(20).toList()).stream()
                            .map(Future::resultNow)
                            .map(answer -> answer.text("api_key_id"))
                            .distinct())
                    .hasSize(1);
        }
    }

    @Test
    void withoutAnAliasTheSameMaterialIsAnotherKey() {
        assertThat(register(world.http(), "").text("api_key_id"))
                .isNotEqualTo(register(world.http(), "").text("api_key_id"));
    }

    @Test
    void listsTellTheKindsApart() {
        String id = register(world.http(), members("client_id", "listed")).text("api_key_id");
        assertThat(ids("?type=public_key&limit=100"))
                .contains(id)
                .doesNotContain(world.http().get("/v0/auth/me").text("api_key_id"));
        assertThat(ids("?type=bearer&limit=100")).doesNotContain(id);
        assertThat(ids("?limit=100")).contains(id);
    }

    @Test
    void permissionsAreAtMostTheRegisteringKeys() {
        String parent = world.http().post("/v0/api-keys", """
                {"permissions":{"api_key_create":true,"inbox_read":true,"provider_connect":true}}
                """).is(200).text("api_key");
        assertThat(register(world.as(parent), "").at("permissions"))
                .isEqualTo(Map.of(
                        "api_key_create", true, "inbox_read", true, "provider_connect", true, "app_connect", true));
        assertThat(register(world.as(parent), members("permissions", object("inbox_read", true, "message_read", false)))
                        .at("permissions"))
                .isEqualTo(Map.of("inbox_read", true));
        Refusal.of(
                world.as(parent).post("/v0/api-keys", body(JWK, members("permissions", object("message_read", true)))),
                ErrorCode.PERMISSION_ESCALATION,
                "message_read");
        Refusal.of(
                world.as(parent).post("/v0/api-keys", body(JWK, members("permissions", null))),
                ErrorCode.UNRESTRICTED_KEY_REQUIRED);
    }

    @Test
    void itEndsNoLaterThanTheRegisteringKeyAndOutlivesItsRevocation() {
        Instant end = Instant.parse(Timestamps.format(world.clock().instant().plus(Duration.ofDays(2))));
        Answer parent = world.http()
                .post("/v0/api-keys", json("expires_at", end.toString()))
                .is(200);
        HttpProbe registering = world.as(parent.text("api_key"));
        Answer key = register(registering, members("client_id", "heir"));
        assertThat(Instant.parse(key.text("expires_at"))).isEqualTo(end);
        Refusal.ofMember(
                registering.post(
                        "/v0/api-keys",
                        body(JWK, members("expires_at", end.plusSeconds(1).toString()))),
                "expires_at");
        Refusal.ofMember(
                registering.post("/v0/api-keys", body(JWK, members("expires_at", "2020-01-01T00:00:00Z"))),
                "expires_at");
        world.http().delete("/v0/api-keys/" + parent.text("api_key_id")).is(200);
        assertThat(world.http().get("/v0/api-keys/heir").is(200).at("")).isEqualTo(key.at(""));
    }

    @Test
    void itsNameAndPermissionsCanBeChangedByAlias() {
        register(world.http(), members("client_id", "changing"));
        Answer changed = world.http().patch("/v0/api-keys/changing", """
                {"name":"New","permissions":{"inbox_read":true,"provider_connect":false}}""").is(200);
        assertThat(changed.text("name")).isEqualTo("New");
        assertThat(changed.at("permissions")).isEqualTo(Map.of("inbox_read", true));
        assertThat(world.http().get("/v0/api-keys/changing").at("")).isEqualTo(changed.at(""));
        Refusal.ofMember(
                world.http().patch("/v0/api-keys/changing", json("public_key", rawJson(OTHER_JWK))), "public_key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b",
                "a@b",
                "a b",
                "é",
                "01890000-0000-7000-8000-000000000000",
                "01890000-0000-7000-8000-00000000ABCD"
            })
    void whatCannotBeAnAliasIsRefused(String alias) {
        Refusal.ofMember(world.http().post("/v0/api-keys", body(JWK, members("client_id", alias))), "client_id");
    }

    @Test
    void whatIsNoKeyIsRefusedWithItsPath() {
        Refusal.ofMember(world.http().post("/v0/api-keys", json("public_key", null)), "public_key");
        Refusal.ofMember(
                world.http().post("/v0/api-keys", body(JWK.replace("}", ",\"d\":\"AQAB\"}"), "")), "public_key", "d");
        Refusal.ofMember(
                world.http().post("/v0/api-keys", body(JWK.replace("P-256", "P-521"), "")), "public_key", "crv");
    }

    @Test
    void aliasesThatNobodyHasAreNotFound() {
        for (String name : List.of(
                "nobodys", "a%40b", "%20", "x".repeat(300), UUID.randomUUID().toString())) {
            Refusal.of(world.http().get("/v0/api-keys/" + name), ErrorCode.NOT_FOUND);
            Refusal.of(world.http().delete("/v0/api-keys/" + name), ErrorCode.NOT_FOUND);
        }
    }

    private static Answer register(HttpProbe caller, String more) {
        return caller.post("/v0/api-keys", body(JWK, more)).is(200);
    }

    private static String body(String jwk, String more) {
        return """
                {"public_key":%s%s}""".formatted(jwk, (more.isEmpty() ? "" : "," + more));
    }

    private static List<Object> ids(String query) {
        return world.http().get("/v0/api-keys" + query).is(200).list("api_keys").stream()
                .<Object>map(key -> key instanceof Map<?, ?> object ? object.get("api_key_id") : "")
                .toList();
    }
}
