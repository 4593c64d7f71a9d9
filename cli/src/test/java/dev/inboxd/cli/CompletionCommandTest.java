package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.Main;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The scripts of {@code inboxd completion}, run by the shells that are here. */
class CompletionCommandTest {
    @TempDir
    private Path folder;

    private static String script(String shell) {
        StringWriter said = new StringWriter();
        CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(said, true));
        assertThat(commandLine.execute("completion", shell)).isZero();
        return said.toString();
    }

    /** What a shell prints for a program of its own. */
    private String run(List<String> command) throws IOException, InterruptedException {
        File output = folder.resolve("output").toFile();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD) // that nobody presses a key here
                .redirectOutput(output)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output.toPath(), StandardCharsets.UTF_8);
    }

    private static boolean isHere(String shell) {
        return Stream.of("/bin/", "/usr/bin/", "/usr/local/bin/")
                .anyMatch(at -> Files.isExecutable(Path.of(at + shell)));
    }

    private String inBash(String line) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("inboxd.bash"), script("bash"));
        String words = String.join(
                " ",
                List.of(line.split(" ", -1)).stream()
                        .map(word -> "'" + word + "'")
                        .toList());
        return run(List.of(
                "bash",
                "-c",
                "source " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                        + " COMP_LINE='" + line + "'; COMP_POINT=${#COMP_LINE};"
                        + " _complete_inboxd; printf '%s\\n' \"${COMPREPLY[@]}\""));
    }

    @Test
    void bashCompletesCommandsAndFlags() throws IOException, InterruptedException {
        assertThat(inBash("inboxd ma").lines().map(String::strip)).containsExactly("mail");
        assertThat(inBash("inboxd mail mess").lines().map(String::strip)).containsExactly("messages");
        assertThat(inBash("inboxd mail messages re").lines().map(String::strip))
                .contains("reply", "reply-all", "release");
        assertThat(inBash("inboxd mail messages send --su").lines().map(String::strip))
                .containsExactly("--subject");
        assertThat(inBash("inboxd completion ").lines().map(String::strip)).contains("bash", "zsh", "fish");
    }

    @Test
    void zshReadsItsScript() throws IOException, InterruptedException {
        assertThat(script("zsh")).contains("bashcompinit");
        if (isHere("zsh")) {
            Path script = Files.writeString(folder.resolve("inboxd.zsh"), script("zsh"));
            assertThat(run(List.of("zsh", "-f", "-c", "source " + script + " && echo read")))
                    .isEqualTo("read\n");
        } else {
            System.out.println("zsh is not here: its script was not run");
        }
    }

    @Test
    void fishCompletesCommandsAndFlags() throws IOException, InterruptedException {
        String fish = script("fish");
        assertThat(fish.lines())
                .contains("complete -c inboxd -n '__inboxd_is mail' -a wait -d 'Waits for a message, and prints it;"
                        + " with --code or --link what was waited for, alone.'")
                .contains("complete -c inboxd -n '__inboxd_in mail messages send' -l subject -r -d 'The subject.'");
        if (isHere("fish")) {
            Path script = Files.writeString(folder.resolve("inboxd.fish"), fish);
            String asked = "source " + script + "; complete -C 'inboxd mail messages repl'";
            assertThat(run(List.of("fish", "--no-config", "-c", asked))).contains("reply-all");
        } else {
            assertThat(fish.lines().filter(line -> !line.matches("complete -c inboxd .*|[# fset].*")))
                    .isEmpty();
            System.out.println("fish is not here: its script was not run");
        }
    }

    @Test
    void anUnknownShellIsAWrongCommandLine() {
        StringWriter said = new StringWriter();
        CommandLine commandLine = Main.commandLine().setErr(new PrintWriter(said, true));
        assertThat(commandLine.execute("completion", "csh")).isEqualTo(2);
        assertThat(said.toString()).contains("bash, zsh and fish");
    }
}
