package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.Main;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.server.InstallationException;
import dev.inboxd.server.World;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands in a shell that does not have the settings of the service, or has wrong ones. */
class OperatorKeyTest {
    private static final String KEY = "the master key of this one service";
    private static final String NEW = "the next master key of the service";
    private static final String OTHER = "a key that was never one of this service";

    @RegisterExtension
    private static final World world =
            World.start(Map.of("INBOXD_SECRET_KEY", KEY, "INBOXD_DOMAIN", "agents.localhost"));

    @TempDir
    private Path folder;

    private OperatorContext open(Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("INBOXD_DATA_DIR", folder.toString());
        environment.put("INBOXD_DATABASE_URL", world.databaseUrl());
        return OperatorContext.open(environment, Map.of());
    }

    @Test
    void aWrongKeyIsRefusedByEveryCommand() {
        assertThatThrownBy(() -> open(Map.of("INBOXD_SECRET_KEY", OTHER)))
                .isInstanceOf(InstallationException.class)
                .hasMessageContaining("give the key used before, after the new one");
    }

    @Test
    void withoutAKeyACommandReadsButSealsNothingAndMakesNoKey() {
        try (OperatorContext access = open(Map.of())) {
            assertThat(access.organizations.all()).isNotEmpty();
            assertThatThrownBy(() -> access.domains.create(world.organization(), "customer.example"))
                    .isInstanceOf(Vault.KeyException.class)
                    .hasMessageContaining("INBOXD_SECRET_KEY");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theDomainOfTheInstallationIsKnownWithoutItsSetting() {
        try (OperatorContext access = open(Map.of("INBOXD_SECRET_KEY", KEY))) {
            assertThatThrownBy(() -> access.domains.create(world.organization(), "agents.localhost"))
                    .isInstanceOf(Problem.class);
            assertThat(Json.text(access.domains.create(world.organization(), "known.example")))
                    .contains("mx.agents.localhost");
            access.domains.delete(world.organization(), "known.example");
        }
    }

    @Test
    void aFolderWithoutADatabaseIsNotFilledByACommand() {
        StringWriter err = new StringWriter();
        Path empty = folder.resolve("empty");
        CommandLine inboxd = Main.commandLine().setErr(new PrintWriter(err));
        assertThat(inboxd.execute("org", "list", "--data-dir", empty.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("There is no database in " + empty);
        assertThat(empty).doesNotExist();
    }

    @Test
    void resealingSealsEverySecretWithTheNewKeyAndCountsThemByKey() {
        world.http().post("/v0/webhooks", """
                {"url":"https://hooks.example.com/a","event_types":["message.received"],
                "headers":{"X-Token":"abc"}}""").is(200);
        try (OperatorContext access = open(Map.of("INBOXD_SECRET_KEY", KEY))) {
            access.domains.create(world.organization(), "resealed.example");
        }
        String session = world.session(); // makes a session key
        assertThat(session).isNotEmpty();
        world.anonymous().get("/v0/jwks.json").is(200); // makes the provider's keys
        try (OperatorContext access = open(Map.of("INBOXD_SECRET_KEY", NEW + "," + KEY))) {
            List<SecretsCommands.KeyCount> counts =
                    SecretsCommands.reseal(access).keys();
            assertThat(counts.getFirst().before()).isZero();
            // the check value, two signing keys, a session key, two of the provider, a domain's key, a webhook's secret
            // and its headers
            assertThat(counts.getLast().before()).isEqualTo(9);
            assertThat(counts.getFirst().after()).isEqualTo(9);
            assertThat(SecretsCommands.reseal(access).keys().getFirst().before())
                    .isEqualTo(9);
        }
        open(Map.of("INBOXD_SECRET_KEY", NEW)).close();
        assertThatThrownBy(() -> open(Map.of("INBOXD_SECRET_KEY", KEY))).isInstanceOf(InstallationException.class);
        try (OperatorContext access = open(Map.of("INBOXD_SECRET_KEY", KEY + "," + NEW))) {
            assertThat(SecretsCommands.reseal(access).unopened()).isZero(); // back, for the other tests
        }
    }
}
