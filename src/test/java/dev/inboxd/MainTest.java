package dev.inboxd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.cli.doctor.Doctor;
import dev.inboxd.config.Setting;
import dev.inboxd.config.SettingTable;
import dev.inboxd.config.SettingValues;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private final StringWriter said = new StringWriter();

    @Test
    void theHelpOfServeNamesEverySettingWithItsDefault() {
        assertThat(run("help", "serve")).isZero();
        for (Setting<?> setting : SettingTable.ALL) {
            assertThat(said.toString()).contains(setting.flag());
        }
        assertThat(said.toString()).contains("Default: open in dev, closed in production.");
    }

    @Test
    void aWrongFlagStopsTheStartWithTheNameOfTheSetting() {
        assertThat(run("serve", "--http-port", "x")).isEqualTo(1);
        assertThat(said.toString()).contains("cannot start").contains("INBOXD_HTTP_PORT is \"x\"");
    }

    @Test
    void anUnknownCommandOrFlagIsAWrongCommandLine() {
        assertThat(run("fly")).isEqualTo(2);
        assertThat(run("serve", "--wings=2")).isEqualTo(2);
        assertThat(run()).isEqualTo(2);
    }

    @Test
    @Proves("P22")
    void theDoctorShowsSettingsWithoutSecretsAndChecksPorts(@TempDir Path data) {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        SettingValues values = new SettingValues(
                Map.of(),
                Map.of(
                        "--data-dir", data.resolve("new").toString(),
                        "--http-port", "0",
                        "--smtp-port", "0",
                        "--submission-port", "0",
                        "--relay", "smtp://joe:canary@relay.example"));
        assertThat(Doctor.examine(values, new PrintStream(shown, true, StandardCharsets.UTF_8)))
                .isZero();
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .contains("INBOXD_RELAY                ***")
                .contains("INBOXD_LOG                  text  (default)")
                .contains("ok    HTTP port 0")
                .contains("ok    DNS: mail.localhost is not in the public DNS")
                .contains("ok    database: embedded")
                .doesNotContain("canary");
    }

    private int run(String... arguments) {
        PrintWriter writer = new PrintWriter(said, true);
        return Main.commandLine().setOut(writer).setErr(writer).execute(arguments);
    }
}
