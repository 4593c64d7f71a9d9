package dev.inboxd.app.registry;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.app.account.AccountFixture;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Refusal;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The registration of apps on the admin port. */
class AppAdminHttpTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final String OF_FILE = "7d3c0e4e-6f0b-4a53-9a53-0c2f1d1b2a10";
    private static final String APPS = "/admin/v0/apps";

    @TempDir
    static Path folder;

    private static World world;
    private static HttpProbe admin;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        Path file = Files.writeString(
                folder.resolve("apps.yaml"), "apps: [{app_id: " + OF_FILE + ", name: Of the file, slug: of-file}]");
        port = freePort();
        world = World.start(Map.of(
                "INBOXD_ADMIN_PORT",
                String.valueOf(port),
                "INBOXD_ADMIN_TOKEN",
                TOKEN,
                "INBOXD_APPS_FILE",
                file.toString()));
        admin = HttpProbe.of(port, TOKEN);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void theTokenAloneOpensItAndOnThatPortAlone() throws IOException {
        admin.get(APPS).is(200);
        Refusal.of(HttpProbe.of(port, null).get(APPS), ErrorCode.MISSING_AUTHORIZATION, "INBOXD_ADMIN_TOKEN");
        for (String wrong : List.of(TOKEN + "0", TOKEN.substring(1), world.key())) {
            Refusal.of(HttpProbe.of(port, wrong).get(APPS), ErrorCode.UNAUTHORIZED, "INBOXD_ADMIN_TOKEN");
            Refusal.of(HttpProbe.of(port, wrong).post(APPS, "{"), ErrorCode.UNAUTHORIZED);
        }
        Refusal.of(HttpProbe.of(world.httpPort(), TOKEN).get(APPS), ErrorCode.NOT_FOUND);
        HttpProbe.of(port, null).get("/healthz").is(200);
        HttpProbe.of(port, null).get("/metrics").is(200);
        int other = freePort();
        try (World without = world.beside(Map.of("INBOXD_ADMIN_PORT", String.valueOf(other)))) {
            Refusal.of(HttpProbe.of(other, TOKEN).get(APPS), ErrorCode.NOT_FOUND);
            HttpProbe.of(other, null).get("/healthz").is(200);
            without.http().get("/v0/apps").is(200);
        }
    }

    @Test
    void anAppIsRegisteredShownChangedAndDeleted() {
        Answer made = admin.post(APPS, """
                {"name":"CRM","slug":"crm","redirect_uris":["https://crm.example/cb"]}""").is(200);
        String secret = made.text("client_secret");
        assertThat(secret).hasSize(43);
        assertThat(made.header("Cache-Control")).contains("no-store");
        String path = APPS + "/" + made.text("app_id");
        Answer shown = admin.get(path).is(200);
        assertThat(shown.text()).doesNotContain(secret).doesNotContain(SecretFields.hex(secret));
        assertThat(shown.text("managed_by")).isEqualTo("operator");
        assertThat(shown.list("secrets")).hasSize(1);
        assertThat(admin.get(APPS + "/crm").is(200).at("")).isEqualTo(shown.at(""));
        Answer changed = admin.patch(path, json("name", "CRM 2", "slug", null, "token_endpoint_auth_method", "none"))
                .is(200);
        assertThat(changed.text("name")).isEqualTo("CRM 2");
        assertThat(changed.at("slug")).isNull();
        assertThat(changed.at("redirect_uris")).isEqualTo(List.of("https://crm.example/cb"));
        assertThat(changed.list("secrets")).as("of a public client").isEmpty();
        assertThat(world.http().get("/v0/apps/" + made.text("app_id")).text("name"))
                .isEqualTo("CRM 2");
        assertThat(admin.get(APPS + "?limit=1").is(200).text("next_page_token")).isNotEmpty();
        admin.delete(path).is(200);
        Refusal.of(admin.get(path), ErrorCode.NOT_FOUND);
        admin.post(APPS, json("name", "CRM", "slug", "crm", "token_endpoint_auth_method", "none"))
                .is(200);
        assertThat(admin.get(APPS + "/crm").at("secrets")).isEqualTo(List.of());
        Refusal.of(admin.post(APPS, json("name", "CRM", "slug", "crm")), ErrorCode.RESOURCE_TAKEN);
        Refusal.of(admin.post(APPS, json("name", "CRM", "app_id", OF_FILE)), ErrorCode.ALREADY_EXISTS);
        Refusal.ofMember(admin.post(APPS, json("name", "CRM", "colour", "red")), "colour");
        Refusal.of(
                admin.patch(APPS + "/crm", json("redirect_uris", List.of("http://crm.example/"))),
                ErrorCode.VALIDATION_ERROR);
    }

    @Test
    void twoSecretsLiveWhileOneReplacesTheOther() {
        Answer made = admin.post(APPS, json("name", "Rotating")).is(200);
        String path = APPS + "/" + made.text("app_id") + "/secrets";
        Answer second = admin.post(path, "{}").is(200);
        assertThat(second.header("Cache-Control")).contains("no-store");
        String app = made.text("app_id");
        assertThat(admin.get(APPS + "/" + app).list("secrets")).hasSize(2);
        Refusal.of(admin.post(path, "{}"), ErrorCode.CONFLICT, "Delete");
        admin.delete(path + "/" + made.text("secrets.0.secret_id")).is(200);
        Refusal.of(admin.delete(path + "/" + made.text("secrets.0.secret_id")), ErrorCode.NOT_FOUND);
        Refusal.of(admin.delete(path + "/nobodys"), ErrorCode.NOT_FOUND);
        assertThat(admin.get(APPS + "/" + app).list("secrets")).hasSize(1);
    }

    @Test
    void aLimitIsSetForOneOrganization() {
        String app = admin.post(APPS, json("name", "Limited")).is(200).text("app_id");
        String path = APPS + "/" + app + "/organizations/" + world.organization() + "/signup-limit";
        assertThat(admin.send("PUT", path, json("limit", 2)).is(200).at("organizations." + world.organization()))
                .isEqualTo(Map.of("owner_signup_limit", 2L));
        assertThat(world.http().get("/v0/apps/" + app).at("owner_signup_limit")).isEqualTo(2L);
        assertThat(admin.send("PUT", path, json("limit", null)).is(200).text())
                .contains(members("owner_signup_limit", null));
        for (String wrong : List.of("{}", json("limit", -1), json("limit", 1, "x", 1))) {
            Refusal.of(admin.send("PUT", path, wrong), ErrorCode.VALIDATION_ERROR);
        }
        Refusal.of(
                admin.send("PUT", path.replace(world.organization().toString(), OF_FILE), json("limit", 1)),
                ErrorCode.NOT_FOUND);
    }

    @Test
    void anAppOfTheFileIsReadOnly() {
        String path = APPS + "/of-file";
        assertThat(admin.get(path).is(200).text("managed_by")).isEqualTo("file");
        Refusal.of(admin.patch(path, json("name", "Other")), ErrorCode.CONFLICT, "file");
        Refusal.of(admin.delete(path), ErrorCode.CONFLICT);
        Refusal.of(admin.post(path + "/secrets", "{}"), ErrorCode.CONFLICT);
        Refusal.of(
                admin.send("PUT", path + "/organizations/" + world.organization() + "/signup-limit", json("limit", 1)),
                ErrorCode.CONFLICT);
    }

    @Test
    void anAppWithAccountsIsDeletedByForceAlone() {
        String app =
                admin.post(APPS, json("name", "Used", "slug", "used")).is(200).text("app_id");
        AccountFixture.signIn(world, UUID.fromString(app), world.inbox("used"));
        assertThat(admin.get(APPS + "/used").at("accounts")).isEqualTo(1L);
        Refusal.of(admin.delete(APPS + "/used"), ErrorCode.CANNOT_DELETE);
        admin.delete(APPS + "/used?force=true").is(200);
        assertThat(world.http().get("/v0/apps/" + app + "/accounts").is(200).at("count"))
                .isEqualTo(0L);
    }
}
