package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.Main;
import dev.inboxd.app.account.AccountFixture;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.json.Json;
import dev.inboxd.server.World;
import dev.inboxd.testing.Refusal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code inboxd app} beside a running service. */
class AppCommandsTest {
    @RegisterExtension
    private static final World world = World.start();

    @TempDir
    Path folder;

    private record Said(int status, String out, String err) {
        List<?> list() {
            return (List<?>) Objects.requireNonNull(Json.stored(out), err);
        }

        Map<?, ?> json() {
            return (Map<?, ?>) Objects.requireNonNull(Json.stored(out), err);
        }
    }

    private static Said run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("app"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--json", "--data-dir", world.folder().toString(), "--database-url", world.databaseUrl()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        return new Said(status, out.toString(), err.toString());
    }

    private Said apply(String yaml) throws IOException {
        return run("apply", Files.writeString(folder.resolve("crm.yaml"), yaml).toString());
    }

    private static Map<?, ?> first(Said said) {
        return (Map<?, ?>) Objects.requireNonNull(said.list().getFirst());
    }

    @Test
    void anAppOfAFileIsRegisteredOnceAndItsSecretsAreReplaced() throws IOException {
        Map<?, ?> made = first(apply("apps: [{name: CRM, slug: crm}]"));
        assertThat(String.valueOf(made.get("client_secret"))).hasSize(43);
        assertThat(world.http().get("/v0/apps/crm").is(200).text("app_id")).isEqualTo(made.get("app_id"));
        Map<?, ?> again = first(apply("apps: [{name: CRM 2, slug: crm}]"));
        assertThat(again.get("app_id")).isEqualTo(made.get("app_id"));
        assertThat(again.containsKey("client_secret")).isFalse();
        assertThat(run("list").list()).hasSize(1);

        Map<?, ?> secret = run("secret", "crm").json();
        assertThat(String.valueOf(secret.get("client_secret"))).hasSize(43);
        assertThat(run("secret", "crm").err()).contains("two secrets");
        assertThat(run("secret", "crm", "--delete", String.valueOf(secret.get("secret_id")))
                        .status())
                .isZero();
        Map<?, ?> shown = run("show", "crm").json();
        assertThat(shown.get("name")).isEqualTo("CRM 2");
        assertThat(shown.get("secrets"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(1);

        AccountFixture.signIn(world, UUID.fromString(String.valueOf(made.get("app_id"))), world.inbox("crm"));
        assertThat(run("delete", "crm").err()).contains("1 accounts", "force");
        assertThat(run("delete", "crm", "--force").status()).isZero();
        Refusal.of(world.http().get("/v0/apps/crm"), ErrorCode.NOT_FOUND);
        assertThat(run("show", "crm").err()).contains("App not found");
    }

    @Test
    void aFileThatIsWrongRegistersNothing() throws IOException {
        Said wrong = apply("apps:\n  - name: One\n    slug: one\n  - name: Two\n    colour: red\n");
        assertThat(wrong.status()).isNotZero();
        assertThat(wrong.err()).contains("crm.yaml is wrong: line 5, apps[1].colour");
        Refusal.of(world.http().get("/v0/apps/one"), ErrorCode.NOT_FOUND);
        assertThat(run("apply", folder.resolve("missing.yaml").toString()).err())
                .contains("does not exist");
    }
}
