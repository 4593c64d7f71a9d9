package dev.inboxd.rules;

import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of README.md, run by a shell as a newcomer would, on a server with no setting at all. */
class ReadmeHttpTest {
    private static final Pattern COMMANDS = Pattern.compile("^```sh\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void theWholeWalkWorks() throws IOException, InterruptedException {
        List<String> blocks = COMMANDS.matcher(Files.readString(Path.of("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(6);
        try (World world = World.start(Map.of("INBOXD_DNS_SERVERS", ""))) {
            String said = run(world, String.join("echo =====\n", blocks));
            String[] parts = said.split("=====", -1);
            assertThat(parts).as(said).hasSize(6);
            assertThat(parts[0]).contains("alice@mail.localhost", "bob@mail.localhost");
            assertThat(parts[1]).contains(members("subject", "Lunch"), "\"text\":\"Noon?", "\"labels\":[\"received\"");
            assertThat(parts[2]).contains(members("subject", "Re: Lunch"), "Noon it is.", "\"in_reply_to\":\"<");
            assertThat(parts[3])
                    .contains(members("subject", "Hello"), "Me <me@example.com>")
                    .doesNotContain("Lunch");
            assertThat(parts[4]).contains(members("markdown", "Anybody there?"), "tokens");
            assertThat(parts[5]).contains(members("event_type", "message.received"), members("subject", "Hello again"));
        }
    }

    @Test
    void itSaysAtOnceWhatItIsWhyWhatElseThereIsAndWhatItRunsOn() throws IOException {
        String start = Files.readAllLines(Path.of("README.md")).stream()
                .takeWhile(line -> !line.startsWith("## "))
                .collect(Collectors.joining("\n"));
        assertThat(start).contains("**What it is**", "**Why**", "**What else there is**", "**What it runs on**");
    }

    private String run(World world, String script) throws IOException, InterruptedException {
        int hook;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            hook = free.getLocalPort();
        }
        Path commands = folder.resolve("walk.sh");
        Files.writeString(
                commands,
                script.replace("8080", String.valueOf(world.httpPort()))
                        .replace("2525", String.valueOf(world.smtpPort()))
                        .replace("9000", String.valueOf(hook)));
        Path output = folder.resolve("output");
        ProcessBuilder shell = new ProcessBuilder("sh", "-eu", commands.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        shell.environment().put("KEY", world.key());
        Process process = shell.start();
        boolean ended = process.waitFor(2, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
