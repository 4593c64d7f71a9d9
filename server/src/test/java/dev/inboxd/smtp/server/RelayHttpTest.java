package dev.inboxd.smtp.server;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Attack A4 on the whole service. {@link DialogTest} plays the same scripts against an intake with rules of its own;
 * here the real one resolves every recipient, and whatever it took would be stored or would leave for the relay.
 */
class RelayHttpTest {
    private static final Path SCRIPTS = Path.of("server/src/test/resources/dialogs");
    private static final Set<String> REFUSED = Set.of("S: 550 5.1.1", "S: 550 5.7.1", "S: 501 5.1.3", "S: 500 5.5.2");
    private static final List<String> AFTERWARDS = List.of(
            "C: RCPT TO:<uma@inbox.example>",
            "S: 250 2.1.5",
            "C: DATA",
            "S: 354",
            "C: Subject: still taken\\r\\n\\r\\nHello %s\\r\\n.",
            "S: 250 2.0.0");

    @Test
    @Proves("A4")
    void noFormOfAForeignRecipientIsTakenAndNothingIsStoredQueuedOrSent() throws Exception {
        try (FakeMx relay = new FakeMx();
                World world = World.start(Map.of(
                        "INBOXD_RELAY", "smtp://127.0.0.1:" + relay.endpoint().port()))) {
            String inbox = world.inbox("uma");
            assertThat(inbox).isEqualTo("uma@mail.localhost");
            List<Path> scripts = scripts();
            assertThat(scripts).hasSize(5);
            for (int i = 0; i < scripts.size(); i++) {
                List<String> script = Files.readAllLines(scripts.get(i));
                assertThat(recipients(script)).hasSizeGreaterThan(20);
                assertThat(script).filteredOn(REFUSED::contains).hasSameSizeAs(recipients(script));
                play(world, scripts.get(i), script, i);
            }
            assertThat(stored(world, inbox)).hasSize(scripts.size());
            // What leaves is taken in turn, so anything of theirs would have come first.
            world.http()
                    .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@elsewhere.test"))
                    .is(200);
            assertThat(relay.nextMail().recipients()).containsExactly("RCPT TO:<jo@elsewhere.test>");
            assertThat(count(world, "submission")).isEqualTo(1);
        }
    }

    /** The script, and then in the same transaction mail to an inbox that there is. */
    private static void play(World world, Path name, List<String> script, int before) throws Exception {
        try (Dialog dialog = new Dialog(world.smtpPort(), new RecordingMailHandler())) {
            for (int i = 0; i < script.size(); i++) {
                String line = script.get(i).replace("inbox.example", "mail.localhost");
                try {
                    dialog.play(line.startsWith("mails:") ? "#" : line);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(name + ":" + (i + 1) + ": " + line, e);
                }
            }
            assertThat(count(world, "message")).as("stored of " + name).isEqualTo(before);
            assertThat(count(world, "submission")).as("queued of " + name).isZero();
            for (String line : AFTERWARDS) {
                // Each says something else: an equal one of the same sender would be taken for a repeated delivery.
                dialog.play(line.replace("inbox.example", "mail.localhost").replace("%s", name.toString()));
            }
        }
    }

    private static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            return files.filter(file -> file.getFileName().toString().startsWith("15-relay-"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> recipients(List<String> script) {
        return script.stream().filter(line -> line.startsWith("C: RCPT TO:")).toList();
    }

    private static List<?> stored(World world, String inbox) {
        HttpProbe.Answer list = world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&include_spam=true")
                .is(200);
        assertThat(list.list("messages"))
                .allSatisfy(
                        each -> assertThat(((Map<?, ?>) each).get("subject")).isEqualTo("still taken"));
        return list.list("messages");
    }

    private static int count(World world, String table) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*)::integer as n from " + table)
                        .single(row -> row.integer("n")));
    }
}
