package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changing keys, rule by rule (identity.md §5.6, §8.7), and keys of pods and inboxes (§8.1). */
class KeyChangeHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aNameChangesAloneAndTheTimeWithIt() {
        Answer before = key(json("name", "Old", "permissions", object("inbox_read", true)));
        world.advance(Duration.ofSeconds(1));
        Answer after =
                patch(world.key(), before, json("name", " New ", "unknown", 1)).is(200);
        assertThat(after.text("name")).isEqualTo("New");
        assertThat(after.at("permissions")).isEqualTo(before.at("permissions"));
        assertThat(after.text("updated_at")).isGreaterThan(before.text("updated_at"));
        assertThat(after.text("created_at")).isEqualTo(before.text("created_at"));
        assertThat(after.at("api_key")).isNull();
        assertThat(patch(world.key(), before, json("name", "New")).is(200).text("updated_at"))
                .isEqualTo(after.text("updated_at"));
    }

    @Test
    void aChangeOfPermissionsHoldsAtTheNextRequest() {
        Answer key = key(json("permissions", object("inbox_read", true)));
        world.as(key.text("api_key")).get("/v0/inboxes").is(200);
        assertThat(patch(world.key(), key, json("permissions", object("draft_read", true)))
                        .is(200)
                        .at("permissions"))
                .isEqualTo(Map.of("draft_read", true));
        Refusal.of(world.as(key.text("api_key")).get("/v0/inboxes"), ErrorCode.MISSING_PERMISSION, "inbox_read");
        world.as(key.text("api_key")).get("/v0/drafts").is(200);
    }

    @Test
    @Proves("P12")
    void aKeyThatIsRevokedWhileItsRequestsBodyComesMakesNothing() throws IOException {
        Answer key = key("{}");
        String body = json("username", "late");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.httpPort())) {
            long begin = System.nanoTime();
            socket.getOutputStream()
                    .write(("POST /v0/inboxes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                    + "Authorization: Bearer " + key.text("api_key")
                                    + "\r\nConnection: close\r\nContent-Length: " + body.length()
                                    + "\r\n\r\n" + body.charAt(0))
                            .getBytes(US_ASCII));
            // Its use is written behind its admission.
            Eventually.await(() ->
                    world.http().get("/v0/api-keys/" + key.text("api_key_id")).at("used_at") != null);
            world.http().delete("/v0/api-keys/" + key.text("api_key_id")).is(200);
            Eventually.await(() -> System.nanoTime() - begin > 1_500_000_000L);
            socket.getOutputStream().write(body.substring(1).getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 401");
        }
        assertThat(world.http().get("/v0/inboxes?limit=100").text()).doesNotContain("late@");
    }

    @Test
    void provideConnectStaysUnlessItIsNamed() {
        Answer key = key(json("permissions", object("inbox_read", true, "provider_connect", true)));
        assertThat(patch(world.key(), key, json("permissions", object("draft_read", true)))
                        .is(200)
                        .at("permissions"))
                .isEqualTo(Map.of("draft_read", true, "provider_connect", true, "app_connect", true));
        assertThat(patch(world.key(), key, json("permissions", object("draft_read", true, "app_connect", false)))
                        .is(200)
                        .at("permissions"))
                .isEqualTo(Map.of("draft_read", true));
        String plain = key("{}").text("api_key");
        Refusal.of(
                patch(plain, key, json("permissions", object("provider_connect", true))),
                ErrorCode.PERMISSION_ESCALATION,
                "provider_connect");
    }

    @Test
    @Proves("P10a")
    void whoHoldsLessGivesNoMoreToAnybodyNotEvenToItself() {
        Answer caller = key(json("permissions", object("api_key_update", true, "inbox_read", true)));
        Answer target = key(json("permissions", object("inbox_read", true)));
        String secret = caller.text("api_key");
        Refusal.of(
                patch(secret, target, json("permissions", object("inbox_read", true, "message_send", true))),
                ErrorCode.PERMISSION_ESCALATION,
                "message_send");
        Refusal.of(
                patch(secret, caller, json("permissions", object("api_key_update", true, "message_send", true))),
                ErrorCode.PERMISSION_ESCALATION,
                "message_send");
        Refusal.of(patch(secret, caller, json("permissions", null)), ErrorCode.UNRESTRICTED_KEY_REQUIRED, "null");
        patch(secret, target, json("permissions", Map.of())).is(200);
        patch(secret, target, json("permissions", object("inbox_read", true))).is(200);
        patch(secret, caller, json("permissions", object("api_key_update", true)))
                .is(200);
        Refusal.of(
                patch(secret, caller, json("permissions", object("inbox_read", true))),
                ErrorCode.PERMISSION_ESCALATION);
    }

    @Test
    @Proves("P10a")
    void anUnrestrictedKeyIsChangedByUnrestrictedKeysAlone() {
        Answer target = key("{}");
        String restricted = key(json("permissions", object("api_key_update", true, "inbox_read", true)))
                .text("api_key");
        for (String body : List.of(
                json("permissions", Map.of()),
                json("permissions", object("inbox_read", true)),
                json("permissions", null))) {
            Refusal.of(
                    patch(restricted, target, body), ErrorCode.UNRESTRICTED_KEY_REQUIRED, "stored without permissions");
        }
        patch(restricted, target, json("name", "A name is no permission")).is(200);
        patch(world.key(), target, json("permissions", object("inbox_read", true)))
                .is(200);
        assertThat(patch(world.key(), target, json("permissions", null)).is(200).at("permissions"))
                .isNull();
        world.as(target.text("api_key")).get("/v0/drafts").is(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"expires_at":"2030-01-01T00:00:00Z"} | expires_at
                    {"name":"x","expires_at":null} | expires_at
                    {"type":"public_key"} | type
                    {"public_key":{}} | public_key
                    {"name":null} | name
                    {"name":""} | name
                    {"permissions":{"inbox_fly":true}} | permissions,inbox_fly""")
    void whatCannotBeChangedIsNamed(String body, String path) {
        Refusal.ofMember(patch(world.key(), key("{}"), body), path.split(",", -1));
    }

    @Test
    void aChangeSaysWhatItChanges() {
        Refusal.ofMember(patch(world.key(), key("{}"), "{}"));
        Refusal.ofMember(patch(world.key(), key("{}"), json("client_id", "ignored")));
        Refusal.of(world.http().patch("/v0/api-keys/nobodys", json("name", "x")), ErrorCode.NOT_FOUND);
    }

    @Test
    void theRouteSaysWhatANewKeyIsBoundTo() {
        String pod = world.pod("keys");
        String inbox = world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", "keyed"))
                .is(200)
                .text("inbox_id");
        Answer podKey = world.http().post("/v0/pods/" + pod + "/api-keys", "{}").is(200);
        Answer inboxKey = world.as(podKey.text("api_key"))
                .post("/v0/inboxes/" + inbox + "/api-keys", "{}")
                .is(200);
        assertThat(podKey.text("pod_id")).isEqualTo(pod);
        assertThat(podKey.at("inbox_id")).isNull();
        assertThat(inboxKey.text("pod_id")).isEqualTo(pod);
        assertThat(inboxKey.text("inbox_id")).isEqualTo(inbox);
        assertThat(world.as(inboxKey.text("api_key")).get("/v0/auth/me").text("scope_id"))
                .isEqualTo(inbox);
        assertThat(ids("/v0/pods/" + pod + "/api-keys"))
                .containsExactlyInAnyOrder(podKey.text("api_key_id"), inboxKey.text("api_key_id"));
        assertThat(ids("/v0/inboxes/" + inbox + "/api-keys")).containsExactly(inboxKey.text("api_key_id"));
        assertThat(ids("/v0/api-keys?limit=100")).contains(podKey.text("api_key_id"), inboxKey.text("api_key_id"));
        String first = world.http().get("/v0/auth/me").text("api_key_id");
        for (String wrong : List.of(
                "/v0/pods/" + pod + "/api-keys/" + first,
                "/v0/inboxes/" + inbox + "/api-keys/" + first,
                "/v0/inboxes/" + inbox + "/api-keys/" + podKey.text("api_key_id"))) {
            Refusal.of(world.http().get(wrong), ErrorCode.NOT_FOUND);
            Refusal.of(world.http().patch(wrong, json("name", "x")), ErrorCode.NOT_FOUND);
            Refusal.of(world.http().delete(wrong), ErrorCode.NOT_FOUND);
        }
        world.http()
                .delete("/v0/inboxes/" + inbox + "/api-keys/" + inboxKey.text("api_key_id"))
                .is(200);
        Refusal.of(world.as(inboxKey.text("api_key")).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY);
    }

    @Test
    void aFlagThatMeansNothingAtATierIsKeptAndHasNoEffect() {
        String inbox = world.inbox("tier");
        Answer key =
                world.http().post("/v0/inboxes/" + inbox + "/api-keys", """
                {"permissions":{"domain_create":true,"inbox_create":true,"inbox_read":true}}""").is(200);
        assertThat(key.at("permissions"))
                .isEqualTo(Map.of("domain_create", true, "inbox_create", true, "inbox_read", true));
        Refusal.of(
                world.as(key.text("api_key")).post("/v0/inboxes", "{}"), ErrorCode.MISSING_PERMISSION, "inbox_create");
        String without = key(json("permissions", object("api_key_create", true, "inbox_read", true)))
                .text("api_key");
        Refusal.of(
                world.as(without)
                        .post("/v0/inboxes/" + inbox + "/api-keys", json("permissions", object("domain_create", true))),
                ErrorCode.PERMISSION_ESCALATION,
                "domain_create");
    }

    @Test
    void anExpiredKeyIsListedForAMonthAndThenGoes() {
        String end = world.clock().instant().plus(Duration.ofMinutes(5)).toString();
        Answer key = key(json("expires_at", end));
        world.advance(Duration.ofDays(29));
        ExpiredKeys.forget(world.database(), Duration.ofDays(30));
        Refusal.of(world.as(key.text("api_key")).get("/v0/auth/me"), ErrorCode.API_KEY_EXPIRED);
        world.advance(Duration.ofDays(2));
        ExpiredKeys.forget(world.database(), Duration.ofDays(30));
        Refusal.of(world.as(key.text("api_key")).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY);
        Refusal.of(world.http().get("/v0/api-keys/" + key.text("api_key_id")), ErrorCode.NOT_FOUND);
    }

    private static Answer key(String body) {
        return world.http().post("/v0/api-keys", body).is(200);
    }

    private static Answer patch(String caller, Answer key, String body) {
        return world.as(caller).sloppy().patch("/v0/api-keys/" + key.text("api_key_id"), body);
    }

    private static List<Object> ids(String path) {
        return world.http().get(path).is(200).list("api_keys").stream()
                .<Object>map(key -> key instanceof Map<?, ?> object ? object.get("api_key_id") : "")
                .toList();
    }
}
