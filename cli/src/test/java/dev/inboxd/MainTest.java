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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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
    void aWrongCommandLineIsAnsweredInTwoLines() {
        run("serve", "--http-prot", "1");
        run("serve", "--relai=smtp://joe:canary@relay.example");
        run("org", "crate");
        run("help", "fly");
        run("key", "create");
        assertThat(said.toString().lines())
                .containsExactly(
                        "inboxd serve: there is no option --http-prot; did you mean --http-port or --http-idle?",
                        "Help: inboxd help serve",
                        "inboxd serve: there is no option --relai; did you mean --relay or --relay-file?",
                        "Help: inboxd help serve",
                        "inboxd org: there is no command crate; did you mean create?",
                        "Help: inboxd help org",
                        "inboxd: there is no command fly",
                        "Help: inboxd help",
                        "inboxd key create: Missing required option: '--organization=<organization>'",
                        "Help: inboxd help key create");
    }

    @Test
    void aCommandThatIsMadeAloneIsTheSame() {
        CommandLine whole = Main.commandLine();
        whole.getSubcommands().forEach((name, command) -> {
            CommandLine alone = Main.commandLine(new String[] {name});
            assertThat(alone.getSubcommands()).containsKey(name);
            boolean isWhole = List.of("help", "completion").contains(name);
            assertThat(alone.getSubcommands())
                    .as("%s", name)
                    .hasSize(isWhole ? whole.getSubcommands().size() : 2);
            assertThat(alone.getSubcommands().get(name).getUsageMessage()).isEqualTo(command.getUsageMessage());
        });
    }

    @Test
    void everyCommandHasHelpUnderEachOfItsNames() {
        CommandLine program = Main.commandLine(); // one for all, as it has every call of the API
        assertHelp(program, program, List.of());
    }

    private static void assertHelp(CommandLine program, CommandLine command, List<String> path) {
        for (List<String> asked : List.of(with(path, "--help"), with(path, "-h"), with(List.of("help"), path))) {
            StringWriter out = new StringWriter();
            String[] arguments = asked.toArray(String[]::new);
            int status = program.setOut(new PrintWriter(out, true)).execute(arguments);
            assertThat(status).as("%s", asked).isZero();
            assertThat(out.toString())
                    .as("%s", asked)
                    .startsWith("Usage: " + String.join(" ", with(List.of("inboxd"), path)));
        }
        command.getSubcommands().forEach((name, below) -> assertHelp(program, below, with(path, name)));
    }

    private static List<String> with(List<String> path, String last) {
        return with(path, List.of(last));
    }

    private static List<String> with(List<String> first, List<String> rest) {
        return Stream.concat(first.stream(), rest.stream()).toList();
    }

    @Test
    void theVersionIsACommandAndAnOption() {
        assertThat(run("version")).isZero();
        assertThat(run("--version")).isZero();
        assertThat(run("-V")).isZero();
        assertThat(said.toString().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("inboxd in development on Java "));
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
                        "--relay", "smtp://joe:canary@127.0.0.1:1"));
        assertThat(Doctor.examine(values, new PrintStream(shown, true, StandardCharsets.UTF_8)))
                .as("the relay does not answer")
                .isEqualTo(1);
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .contains("FAIL  relay 127.0.0.1 port 1: does not answer")
                .contains("INBOXD_RELAY                smtp://joe:***@127.0.0.1:1")
                .contains("INBOXD_LOG                  text  (default)")
                .contains("ok    HTTP port 0")
                .contains("ok    DNS: mail.localhost is not in the public DNS")
                .contains("ok    database: embedded")
                .doesNotContain("canary");
    }

    private int run(String... arguments) {
        PrintWriter writer = new PrintWriter(said, true);
        return Main.commandLine(arguments).setOut(writer).setErr(writer).execute(arguments);
    }
}
