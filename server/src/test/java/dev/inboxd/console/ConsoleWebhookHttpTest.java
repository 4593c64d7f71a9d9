package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A webhook at the console: what was sent and answered, and programs that check a signature. */
class ConsoleWebhookHttpTest {
    private static final String SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
    private static final String ID = "msg_2b";
    private static final String BODY = json("type", "event", "event_type", "message.sent", "event_id", "evt_1");

    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;
    private static String webhook;

    @TempDir
    static Path folder;

    @BeforeAll
    static void start() throws IOException {
        console = ConsoleProbe.of(world, "hooked");
        webhook = world.http()
                .post(
                        "/v0/webhooks",
                        json("url", "http://127.0.0.1:9/hook", "event_types", List.of("message.received")))
                .is(200)
                .text("webhook_id");
        Files.writeString(folder.resolve("body.json"), BODY);
    }

    @Test
    void eachAttemptHasItsRequestAndAnswer() {
        world.http()
                .patch("/v0/webhooks/" + webhook + "/headers", json("headers", object("x-tenant", "secret-value")))
                .is(204);
        console.received("hooked", "Subject: For the webhook\r\n\r\nHi\r\n");
        Eventually.await(() -> console.page("/webhooks/" + webhook).contains("Attempt 1"));
        assertThat(console.page("/webhooks/" + webhook))
                .contains(
                        " below were delivered. Median ",
                        "POST http://127.0.0.1:9/hook\ncontent-type: application/json\nsvix-id: msg_",
                        "x-tenant: …",
                        "No answer.")
                .doesNotContain("secret-value");
        String before = secret();
        console.sends("/webhooks/" + webhook, "do", "rotate").is(303);
        assertThat(secret()).isNotEqualTo(before);
        console.sends("/webhooks/" + webhook, "do", "disable").is(303);
        assertThat(console.page("/webhooks/" + webhook)).contains("value=\"enable\"");
        console.sends("/webhooks/" + webhook, "do", "enable").is(303);
        console.sends("/webhooks/" + webhook, "do", "replay", "after", "2026-01-01T00:00")
                .is(303);
        assertThat(console.sends("/webhooks/" + webhook, "do", "test").is(200).text())
                .contains("Test failed");
    }

    @Test
    void theTraceOfAMessageHasALineForEachAttempt() {
        console.received("tried", "Subject: Twice\r\n\r\nHi\r\n");
        String path = "/inboxes/" + console.inbox() + "/messages/%3Ctried%40shop.test%3E/trace";
        Eventually.await(() -> console.page(path).contains(", attempt 1: "));
        assertThat(console.page(path))
                .containsPattern("data-fine datetime=\"[^\"]+Z\">\\d\\d:\\d\\d:\\d\\d\\.\\d\\d</time>")
                .contains(
                        "+0 ms",
                        "Received from ",
                        "without TLS",
                        "Checked: SPF pass",
                        "Stored, ",
                        "Event message.received (received, unread) for sockets and feeds",
                        "<a href=\"/console/webhooks/" + webhook + "\">127.0.0.1</a>, attempt 1: ");
    }

    private static String secret() {
        return ConsoleProbe.between(console.page("/webhooks/" + webhook), "<summary>Secret</summary>", "</details>");
    }

    /** The program of a language on the page. */
    private static String program(String language) {
        String page = console.page("/webhooks/" + webhook);
        return ConsoleProbe.between(page, "data-language=\"" + language + "\">", "</pre>")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
    }

    private static String signature(String time) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring(6)), "HmacSHA256"));
        byte[] tag = mac.doFinal((ID + "." + time + "." + BODY).getBytes(StandardCharsets.UTF_8));
        return "v1," + Base64.getEncoder().encodeToString(tag);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said.strip();
    }

    private static boolean has(String command) throws Exception {
        return !run("sh", "-c", "command -v " + command + " || true").isEmpty();
    }

    /** Writes the programs with what calls them: times and signatures are arguments, in turn. */
    private static void write() throws IOException {
        String java = program("java");
        String node = program("js");
        String python = program("py");
        Files.writeString(folder.resolve("Check.java"), """
                import java.nio.charset.StandardCharsets; import java.nio.file.*; import java.security.*;
                import java.time.Instant; import java.util.*; import java.util.stream.Stream;
                import javax.crypto.Mac; import javax.crypto.spec.SecretKeySpec;
                public class Check { public static void main(String[] a) throws Exception {
                for (int i = 0; i < a.length; i += 2) System.out.print(isOurs("%s", Map.of("svix-id", "%s",
                "svix-timestamp", a[i], "svix-signature", a[i + 1]), Files.readAllBytes(Path.of("body.json"))) + " "); }
                """.formatted(SECRET, ID) + java + "}");
        Files.writeString(folder.resolve("check.mjs"), node + """
                import { readFileSync } from "node:fs";
                const a = process.argv.slice(2);
                for (let i = 0; i < a.length; i += 2) process.stdout.write(isOurs("%s", { "svix-id": "%s",
                "svix-timestamp": a[i], "svix-signature": a[i + 1] }, readFileSync("body.json")) + " ");
                """.formatted(SECRET, ID));
        Files.writeString(folder.resolve("check.py"), python + """

                import sys
                a = sys.argv[1:]
                body = open("body.json", "rb").read()
                for i in range(0, len(a), 2):
                    heads = {"svix-id": "%s", "svix-timestamp": a[i], "svix-signature": a[i + 1]}
                    print(str(is_ours("%s", heads, body)).lower(), end=" ")
                """.formatted(ID, SECRET));
    }

    /** Each program takes what is right, also beside another signature, and refuses what is wrong or old. */
    @Test
    @Tag("long")
    void theProgramsThatCheckASignatureWork() throws Exception {
        String now = String.valueOf(Instant.now().getEpochSecond());
        List<List<String>> cases = List.of(
                List.of(now, signature(now), "true"),
                List.of(now, "v1,AAAA " + signature(now), "true"),
                List.of(now, signature("1"), "false"),
                List.of(now, "v1,", "false"),
                List.of("1767225600", signature("1767225600"), "false"));
        write();
        List<List<String>> commands = new ArrayList<>();
        commands.add(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "Check.java"));
        if (has("node")) {
            commands.add(List.of("node", "check.mjs"));
        }
        if (has("python3")) {
            commands.add(List.of("python3", "check.py"));
        }
        for (List<String> command : commands) {
            List<String> all = new ArrayList<>(command);
            cases.forEach(each -> all.addAll(each.subList(0, 2)));
            assertThat(run(all.toArray(String[]::new)))
                    .as(command.toString())
                    .isEqualTo(String.join(
                            " ", cases.stream().map(each -> each.get(2)).toList()));
        }
        if (has("openssl")) {
            String script = program("sh").replaceAll("(?s)\ncurl .*", "\nprintf %s \"\\$signature\"");
            String said = run("sh", "-c", "SECRET=" + SECRET + " ID=" + ID + " TIME=" + now + "\n" + script);
            assertThat("v1," + said).isEqualTo(signature(now));
        }
    }
}
