package dev.inboxd.cli.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.Main;
import dev.inboxd.base.error.Problem;
import dev.inboxd.config.SettingsException;
import dev.inboxd.mail.address.AddrSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.core.json.JsonFactory;

/** How much a command of {@code inboxd mail} loads before it does anything. */
class MailStartTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path folder;

    /** With the lines of the build, the description stays unread, and without a call no client is made. */
    @Test
    void aCommandLoadsOnlyWhatItNeeds() throws IOException, InterruptedException {
        OperationCatalog.main(new String[] {folder.toString()});
        List<String> loaded = run("-Xlog:class+load:stdout", "mail", "messages", "list", "--inbox-id=x", "--dry-run");
        assertThat(loaded).anyMatch(line -> line.contains("dev.inboxd.cli.mail.OperationCommand"));
        assertThat(loaded)
                .noneMatch(line -> line.contains("org.snakeyaml")
                        || line.contains("dev.inboxd.reference.")
                        || line.contains("jdk.internal.net.http.HttpClientImpl ")
                        || line.contains("dev.inboxd.config.SettingTable ")
                        || line.contains("dev.inboxd.server."));
    }

    @Test
    void theTimeOfAStartIsPrinted() throws IOException, InterruptedException {
        OperationCatalog.main(new String[] {folder.toString()});
        long began = System.nanoTime();
        List<String> help = run("-Xshare:auto", "mail", "--help");
        long millis = (System.nanoTime() - began) / 1_000_000;
        began = System.nanoTime();
        run("--version");
        long java = (System.nanoTime() - began) / 1_000_000;
        System.out.printf(
                "inboxd mail --help: %d ms, %.1f times java --version, without a cache%n",
                millis, millis / (double) java);
        assertThat(help).anyMatch(line -> line.startsWith("  messages "));
    }

    /** The classes of the four modules, and of the libraries that the command may use. */
    private static String places() {
        return Stream.of(
                        Main.class,
                        SettingsException.class,
                        Problem.class,
                        AddrSpec.class,
                        CommandLine.class,
                        JsonFactory.class,
                        Nullable.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(File.pathSeparator, File.pathSeparator, ""));
    }

    private List<String> run(String option, String... words) throws IOException, InterruptedException {
        File output = folder.resolve("output").toFile();
        List<String> command = new ArrayList<>(List.of(JAVA, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", folder + places(), option));
        command.add("dev.inboxd.Main");
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readAllLines(output.toPath());
    }
}
