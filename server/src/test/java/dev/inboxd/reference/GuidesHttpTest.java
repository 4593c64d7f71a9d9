package dev.inboxd.reference;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.server.World;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code in the guides runs as it stands there, against a whole server; who writes the mail in them is the test. */
class GuidesHttpTest {
    private static final String APP = "019a4c60-0b1c-7d2e-8f30-4a5b6c7d8e9f";
    /** How long a script may take before it is ended, and the test fails. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String CALLBACK = "https://app.example/callback";

    @TempDir
    static Path folder;

    private static World world;

    @BeforeAll
    static void start() throws IOException {
        Path apps = Files.writeString(folder.resolve("apps.yaml"), """
                apps:
                  - app_id: %s
                    name: Some App
                    redirect_uris: [%s]
                    client_secret: a-secret-of-some-length-for-the-app
                    require_pkce: false
                """.formatted(APP, CALLBACK));
        world = World.start(Map.of("INBOXD_APPS_FILE", apps.toString()));
        world.dns().text("elsewhere.example", "v=spf1 ip4:127.0.0.1 -all");
    }

    /** Where nobody else takes part. */
    private static void nobody(String line) {
        assertThat(line).doesNotStartWith("Write to ");
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    private static Guide guide(String name) {
        return Guide.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The blocks of code in a language. */
    private static List<String> code(String guide, String language) {
        List<String> blocks = new ArrayList<>();
        String text = guide(guide).text();
        String fence = "```" + language + "\n";
        for (int at = text.indexOf(fence); at >= 0; at = text.indexOf(fence, at + 1)) {
            blocks.add(text.substring(at + fence.length(), text.indexOf("\n```", at)));
        }
        return blocks;
    }

    /** Runs a guide with Node.js and answers what it printed; each line is shown to the other side as it comes. */
    private static List<String> run(String guide, Consumer<String> other) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve(guide + ".mjs"), String.join("\n", code(guide, "js")));
        return run(List.of("node", script.toString()), settings(), new byte[0], other);
    }

    private static Map<String, String> settings() {
        return Map.of(
                "INBOXD_URL",
                "http://127.0.0.1:" + world.httpPort(),
                "INBOXD_KEY",
                world.key(),
                "INBOXD_APPROVER",
                world.session(),
                "PORT",
                "0",
                "APP_ID",
                APP,
                "REDIRECT_URI",
                CALLBACK);
    }

    private static List<String> run(
            List<String> command, Map<String, String> environment, byte[] input, Consumer<String> other)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        CompletableFuture<Void> late = CompletableFuture.runAsync(
                () -> {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                },
                CompletableFuture.delayedExecutor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        process.getOutputStream().write(input);
        process.getOutputStream().close();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                other.accept(line);
            }
        }
        assertThat(process.waitFor()).as(() -> String.join("\n", lines)).isZero();
        late.cancel(false);
        return lines;
    }

    private static Consumer<String> writer(String subject, String text) {
        return line -> {
            if (line.startsWith("Write to ")) {
                String to = line.substring("Write to ".length());
                mail(to, "Subject: " + subject + "\n\n" + text + "\n");
            }
        };
    }

    private static void mail(String to, String rest) {
        assertThat(world.mail("jo@elsewhere.example", to, "From: Jo <jo@elsewhere.example>\nTo: " + to + "\n" + rest))
                .startsWith("250");
    }

    @Test
    void aWebhookGetsAMail() throws Exception {
        assertThat(run("receive-by-webhook", writer("Order 17", "Where is it?")))
                .last()
                .isEqualTo("Got Order 17 from jo@elsewhere.example");
    }

    /** What the guide says that it prints. */
    @Test
    void aMailIsReadAsAModelReadsIt() throws Exception {
        String shown = guide("read-a-mail").text().split("It prints:\n\n```\n", 2)[1];
        assertThat(run("read-a-mail", GuidesHttpTest::nobody))
                .containsExactlyElementsOf(
                        shown.substring(0, shown.indexOf("\n```")).lines().toList());
    }

    /** Each language alone; one that is not on this machine is named. */
    @Test
    @Tag("long")
    void threeTasksAreDoneInFourLanguages() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Map<String, List<String>> languages = Map.of(
                "sh", List.of("sh", "Tasks.sh"),
                "js", List.of("node", "tasks.mjs"),
                "python", List.of("python3", "tasks.py"),
                "java", List.of(java, "Tasks.java"));
        List<String> ran = new ArrayList<>();
        for (Map.Entry<String, List<String>> language : languages.entrySet()) {
            List<String> command = new ArrayList<>(language.getValue());
            boolean isShell = command.getFirst().equals("sh");
            if (!isThere(command.getFirst()) || (isShell && (!isThere("curl") || !isThere("jq")))) {
                continue;
            }
            Path script = folder.resolve(command.removeLast());
            Files.writeString(
                    script, code("without-a-client", language.getKey()).getFirst() + "\n");
            command.add(script.toString());
            List<String> lines = run(command, settings(), new byte[0], writer("Lunch", "Noon, or one?"));
            assertThat(lines).as(language.getKey()).hasSize(3).element(1).isEqualTo("Got Lunch");
            String inbox = lines.getFirst().substring("Write to ".length());
            String sent = lines.getLast().substring("Sent ".length());
            JsonTree reply = JsonTree.of(world.http()
                    .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(sent, StandardCharsets.UTF_8))
                    .is(200)
                    .body());
            assertThat(reply.text("subject")).isEqualTo("Re: Lunch");
            ran.add(language.getKey());
        }
        System.out.println("done in " + ran + " of " + languages.keySet());
        assertThat(ran).contains("js", "java");
    }

    /** The curl of the guide; what needs a client runs in suite/ecosystem. */
    @Test
    void curlIsPointed() throws Exception {
        Path script = Files.writeString(
                folder.resolve("curl.sh"), code("point-a-client", "sh").getFirst() + "\n");
        assertThat(run(List.of("sh", script.toString()), settings(), new byte[0], GuidesHttpTest::nobody))
                .singleElement()
                .satisfies(line -> assertThat(Json.parse(line.getBytes(StandardCharsets.UTF_8)))
                        .isInstanceOfSatisfying(
                                Map.class,
                                inbox -> assertThat(inbox.get("inbox_id")).isNotNull()));
    }

    @Test
    void aReplyIsWaitedFor() throws Exception {
        Consumer<String> jo = line -> {
            if (line.startsWith("Sent ")) {
                String[] words = line.split(" ", -1);
                mail(words[3], "Subject: Re: Lunch\nIn-Reply-To: " + words[1] + "\n\nOne.\n\n> Noon, or one?\n");
            }
        };
        assertThat(run("wait-for-a-reply", jo)).last().isEqualTo("Answer: One.");
    }

    @Test
    void aCodeIsTakenFromAMail() throws Exception {
        assertThat(run("get-a-code", writer("Your code", "Your code is\n\n482913\n")))
                .last()
                .isEqualTo("Code 482913 from jo@elsewhere.example");
    }

    @Test
    void aDraftIsApproved() throws Exception {
        List<String> lines = run("draft-and-approve", GuidesHttpTest::nobody);
        assertThat(lines.getFirst()).startsWith("awaiting_approval: ");
        assertThat(lines).endsWith("Your offer: Ten percent off, until Friday.", "Left as promised");
    }

    @Test
    void aDomainIsRegistered() throws Exception {
        assertThat(run("own-domain", GuidesHttpTest::nobody))
                .contains("MX agents.example 10 " + records().getFirst(), "Checked: 200")
                .anyMatch(line -> line.startsWith("Still to do: MX agents.example is MISSING"));
    }

    private static List<String> records() {
        JsonTree domain = JsonTree.of(
                world.http().get("/v0/domains/agents.example").is(200).body());
        return domain.list("records").stream()
                .map(record -> record.text("value"))
                .toList();
    }

    @Test
    void agentsSeeTheirOwn() throws Exception {
        assertThat(run("several-agents", GuidesHttpTest::nobody))
                .containsExactly("Blue sees 1 inbox, its own: true", "Of green it gets 404 not_found");
    }

    @Test
    void toolsAreListed() throws Exception {
        assertThat(run("mcp", GuidesHttpTest::nobody))
                .anyMatch(line -> line.contains("wait_for_message"))
                .endsWith("Bound to one organization");
        assertThat(code("mcp", "json"))
                .allSatisfy(each -> assertThat(Json.parse(each.getBytes(StandardCharsets.UTF_8)))
                        .isInstanceOf(Map.class));
    }

    @Test
    void anInboxSignsIn() throws Exception {
        assertThat(run("sign-in-to-an-app", GuidesHttpTest::nobody))
                .containsExactly("Approved: 204", "Back at the app with a code: true");
    }

    /** On a server of its own: the guide moves its clock. */
    @Test
    void aDayOfAnAgentIsPlayed() throws Exception {
        try (World moved = World.start()) {
            Path script = Files.writeString(
                    folder.resolve("test-an-agent.mjs"), String.join("\n", code("test-an-agent", "js")));
            Map<String, String> settings =
                    Map.of("INBOXD_URL", "http://127.0.0.1:" + moved.httpPort(), "INBOXD_KEY", moved.key());
            assertThat(run(List.of("node", script.toString()), settings, new byte[0], GuidesHttpTest::nobody))
                    .extracting(line -> line.substring(line.lastIndexOf(": ") + 2))
                    .containsExactly(
                            "What does the blue one cost?",
                            "120 euros.",
                            "Are you still interested?",
                            "Sorry, yes please.");
        }
    }

    /** The vector of events.md §3, and one that is not ours; a language that is not on this machine is named. */
    @Test
    @Tag("long")
    void aSignatureIsVerifiedInFiveLanguages() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Map<String, List<String>> languages = Map.of(
                "js", List.of("node", "verify.mjs"),
                "python", List.of("python3", "verify.py"),
                "java", List.of(java, "Verify.java"),
                "perl", List.of("perl", "verify.pl"),
                "sh", List.of("sh", "verify.sh"));
        byte[] body = json("type", "event", "event_type", "message.sent", "event_id", "evt_1")
                .getBytes(StandardCharsets.UTF_8);
        String good = "v1,21qsbbmI/OMQ+bZ1/8oCQcNxanboyYJMbSV3lkrKT9E=";
        List<String> ran = new ArrayList<>();
        for (Map.Entry<String, List<String>> language : languages.entrySet()) {
            List<String> command = new ArrayList<>(language.getValue());
            if (!isThere(command.getFirst())) {
                continue;
            }
            Path script = folder.resolve(command.removeLast());
            Files.writeString(
                    script, code("verify-a-signature", language.getKey()).getFirst() + "\n");
            command.add(script.toString());
            Map<String, String> delivery = new HashMap<>(
                    Map.of("SECRET", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", "ID", "msg_2b", "TIME", "1767225600"));
            delivery.put("SIGNATURES", "v1,AAAA " + good);
            assertThat(run(command, delivery, body, GuidesHttpTest::nobody))
                    .as(language.getKey())
                    .containsExactly("ours");
            delivery.put("SIGNATURES", good.replace("21q", "21r"));
            assertThat(run(command, delivery, body, GuidesHttpTest::nobody))
                    .as(language.getKey())
                    .containsExactly("not ours");
            ran.add(language.getKey());
        }
        System.out.println("verified in " + ran + " of " + languages.keySet());
        assertThat(ran).contains("js", "java");
    }

    private static boolean isThere(String program) {
        return new File(program).canExecute()
                || List.of(System.getenv("PATH").split(File.pathSeparator, -1)).stream()
                        .anyMatch(each -> new File(each, program).canExecute());
    }

    @Test
    void everyGuideIsOneScreenAndNamesCallsThatExist() throws IOException {
        String api = Files.readString(Path.of("docs/api.yaml"));
        for (Guide guide : Guide.all()) {
            long lines = guide.text().lines().count();
            assertThat(lines).as(guide.name()).isLessThan(90);
            assertThat(guide.summary()).as(guide.name()).isNotBlank();
            String calls = guide.text().substring(guide.text().lastIndexOf("The "));
            for (String call : calls.split("`", -1)) {
                if (call.matches("[a-z]+[A-Z]\\w+")) {
                    assertThat(api).as(guide.name()).contains("operationId: " + call + "\n");
                }
            }
        }
    }

    /** The names in the code that lists them are those of the folder, and the README leads to each. */
    @Test
    void theReadmeLeadsToEachGuide() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        try (var files = Files.list(Path.of("docs/guides"))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".md", "")))
                    .containsExactlyInAnyOrderElementsOf(
                            Guide.all().stream().map(Guide::name).toList());
        }
        for (Guide guide : Guide.all()) {
            assertThat(readme).contains("(docs/guides/" + guide.name() + ".md)");
        }
    }
}
