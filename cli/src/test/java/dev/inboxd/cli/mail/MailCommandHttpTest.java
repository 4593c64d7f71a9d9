package dev.inboxd.cli.mail;

import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code inboxd mail} at a server. */
class MailCommandHttpTest {
    private static final String SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

    @RegisterExtension
    private static final World world = World.start();

    private static MailProbe probe() {
        return MailProbe.at(world.httpPort(), world.key());
    }

    /** Runs a command that has to succeed, and returns what it printed. */
    private static String out(String... words) {
        MailProbe probe = probe().run(words);
        assertThat(probe.status()).as(probe.err()).isZero();
        return probe.out();
    }

    private static JsonTree json(String... words) {
        return JsonTree.of(out(words).getBytes(StandardCharsets.UTF_8));
    }

    private static String send(String from, String to, String subject, String text) {
        return json("send", "--inbox-id", from, "--to", to, "--subject", subject, "--text", text, "--json")
                .text("message_id");
    }

    private static String newest(String inbox, String subject) {
        return json("wait", "--inbox-id", inbox, "--subject", subject, "--since", "1h", "--json")
                .text("message_id");
    }

    @Test
    void aMailIsSentWaitedForReadAndAnswered(@TempDir Path folder) throws IOException {
        String alice = world.inbox("cli-alice");
        String bob = world.inbox("cli-bob");
        Path file = Files.writeString(folder.resolve("menu.txt"), "soup");
        MailProbe sent = probe().typing("Noon?\n")
                .run(
                        "send",
                        "--inbox-id",
                        alice,
                        "--to",
                        bob,
                        "--subject",
                        "Lunch",
                        "--text",
                        "-",
                        "--attach",
                        file + "");
        assertThat(sent.err()).isEmpty();
        assertThat(sent.out()).contains("message_id").contains("thread_id");

        String read = out("wait", "--inbox-id", bob, "--subject", "Lunch", "--since", "1h");
        assertThat(read)
                .contains("From:    ")
                .contains(alice)
                .contains("Subject: Lunch")
                .contains("menu.txt");
        assertThat(read).endsWith("\n\nNoon?\n");
        assertThat(out("open", "--inbox-id", bob)).contains("Noon?");

        JsonTree reply = json("reply", "--inbox-id", bob, "--text", "Noon it is.", "--json");
        assertThat(reply.text("message_id")).isNotEmpty();
        String first = newest(bob, "Lunch");
        JsonTree answer = json("wait", "--inbox-id", alice, "--since", "5m", "--in-reply-to", first, "--json");
        assertThat(answer.text("extracted_text")).contains("Noon it is.");
    }

    @Test
    void aMessageAndAThreadAreOpenedAsMarkdown() {
        String inbox = world.inbox("cli-markdown");
        assertThat(world.mail("jo@example.com", inbox, """
                        From: Jo <jo@example.com>
                        Message-ID: <markdown@cli.test>
                        Subject: Offer
                        MIME-Version: 1.0
                        Content-Type: text/html

                        <h1>Offer</h1><p>Read <b>this</b>\u001b[31m.</p><p style="display:none">unseen</p>
                        """)).startsWith("250");
        String[] open = {"open", "--inbox-id", inbox, "--message-id", "markdown@cli.test"};
        String[] get = {
            "messages",
            "get",
            "--inbox-id",
            inbox,
            "--message-id",
            "markdown@cli.test",
            "--format",
            "markdown",
            "--json"
        };
        String opened = out(open);
        assertThat(opened)
                .contains("From:    Jo <jo@example.com>", "# Offer", "Read **this**")
                .doesNotContain("unseen");
        assertThat(opened.chars().filter(c -> c != '\n' && JsonOutput.isSteering(c)))
                .isEmpty();
        assertThat(out(with(open, "--json"))).contains("\"html\"").doesNotContain("\"markdown\"");
        JsonTree cut = json(with(get, "--max-chars", "7"));
        assertThat(cut.text("markdown")).isEqualTo("# Offer");
        String rest = out(with(get, "--offset", cut.text("next_offset")));
        assertThat(rest).contains("Read **this**").doesNotContain("# Offer");
        out("reply", "--inbox-id", inbox, "--message-id", "markdown@cli.test", "--text", "I take it.");
        String thread = out("open", "--thread", cut.text("thread_id"));
        assertThat(thread).contains("From:    Jo", "Sent:    " + inbox, "I take it.");
        assertThat(thread.indexOf("# Offer")).isLessThan(thread.indexOf("I take it."));
        assertThat(out("open", "--thread", cut.text("thread_id"), "--inbox-id", inbox, "--json"))
                .contains("\"transcript\"");
        MailProbe both = probe().run("open", "--thread", cut.text("thread_id"), "--message-id", "markdown@cli.test");
        assertThat(both.status()).isEqualTo(2);
        assertThat(both.err()).contains("--thread or --message-id");
    }

    @Test
    void aCodeOrALinkIsPrintedAlone() {
        String from = world.inbox("cli-shop");
        String inbox = world.inbox("cli-code");
        send(from, inbox, "Your code", "Your verification code is 482913.");
        assertThat(out("wait", "--inbox-id", inbox, "--since", "1h", "--code")).isEqualTo("482913\n");
        send(from, inbox, "Confirm", "Confirm your address: https://shop.example/confirm?t=8aF2");
        assertThat(out("wait", "--inbox-id", inbox, "--since", "1h", "--link"))
                .isEqualTo("https://shop.example/confirm?t=8aF2\n");
    }

    @Test
    void aWaitForNothingEndsWithAStatusOfItsOwn() {
        MailProbe probe = probe().run("wait", "--inbox-id", world.inbox("cli-silent"), "--timeout", "1");
        assertThat(probe.status()).isEqualTo(3);
        assertThat(probe.err()).isEqualTo("inboxd mail: nothing that fits came in time\n");
    }

    @Test
    void pagesAreAskedForAsManyAsAreWanted() {
        String inbox = world.inbox("cli-pages");
        for (int i = 0; i < 5; i++) {
            out("drafts", "create", "--inbox-id", inbox, "--subject", "Draft " + i);
        }
        String[] list = {"drafts", "list", "--inbox-id", inbox, "--json", "--limit"};
        assertThat(json(with(list, "3")).list("drafts")).hasSize(3);
        assertThat(json(with(list, "9")).list("drafts")).hasSize(5);
        MailOperation drafts = OperationCatalog.call("drafts", "listInboxDrafts");
        for (long page = 1; page <= 3; page++) { // of one, of two and of three
            MailProbe paged = probe();
            AnswerOutput output = new AnswerOutput(paged.terminal(), true, List.of());
            OperationCall first =
                    new FlagValues(Map.of("inbox_id", List.of(inbox)), null).call(drafts, output.terminal());
            output.pages(new MailClient(output.terminal().environment()), first, ofPages(drafts, page), 0);
            assertThat(JsonTree.of(paged.out().getBytes(StandardCharsets.UTF_8)).list("drafts"))
                    .extracting(draft -> draft.text("subject"))
                    .containsExactly("Draft 4", "Draft 3", "Draft 2", "Draft 1", "Draft 0");
        }
        assertThat(probe().run("drafts", "list", "--inbox-id", inbox, "--limit", "2")
                        .err())
                .isEmpty();
        MailProbe some = probe().run("drafts", "list", "--inbox-id", inbox, "--limit", "2", "--fields", "subject, cc");
        assertThat(some.out()).isEqualTo("subject  cc\nDraft 4  -\nDraft 3  -\n");
    }

    /** The same call, as if its pages had so many items at most. */
    private static MailOperation ofPages(MailOperation call, long most) {
        List<String> lines = OperationCatalog.lines(List.of(call)).stream()
                .map(line -> line.startsWith("\tlimit\t")
                        ? line.replace("\t" + call.mostOfPage() + "\t", "\t" + most + "\t")
                        : line)
                .toList();
        return OperationCatalog.read(lines.stream(), "").getFirst();
    }

    private static String[] with(String[] words, String... more) {
        String[] longer = Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, longer, words.length, more.length);
        return longer;
    }

    @Test
    void listsAreTablesAndNothingInThemSteersTheTerminal() {
        String inbox = world.inbox("cli-table");
        String encoded = Base64.getEncoder()
                .encodeToString("Plain \u009b31m red \u202e\u001b[2J".getBytes(StandardCharsets.UTF_8));
        world.mail(
                "jo@example.com", inbox, "From: jo@example.com\nSubject: =?utf-8?b?" + encoded + "?=\n\nx \u001b[2J\n");
        String[] list = {"messages", "list", "--inbox-id", inbox, "--include-unauthenticated"};
        String table = out(list);
        assertThat(table.lines().findFirst().orElseThrow())
                .startsWith("message_id")
                .contains("from");
        String json = out(with(list, "--json"));
        assertThat(json).contains("Plain");
        String text = out(
                "open",
                "--inbox-id",
                inbox,
                "--message-id",
                json("messages", "list", "--inbox-id", inbox, "--include-unauthenticated", "--json")
                        .list("messages")
                        .getFirst()
                        .text("message_id"));
        assertThat((table + json + text).chars().filter(c -> c != '\n' && JsonOutput.isSteering(c)))
                .isEmpty();
    }

    @Test
    void bodiesComeFromFlagsAndFiles(@TempDir Path folder) throws IOException {
        Path body = Files.writeString(
                folder.resolve("body.json"), JsonText.json("username", "cli-file", "display_name", "One"));
        String name = "Two";
        JsonTree made = json("inboxes", "create", "--body", "@" + body, "--display-name", name, "--json");
        assertThat(made.text("display_name")).isEqualTo("Two");
        String address = made.text("email");
        assertThat(address).startsWith("cli-file@");
        assertThat(out("inboxes", "get", "--inbox-id", address, "--fields", "display_name"))
                .isEqualTo("display_name  Two\n");
        assertThat(json(
                                "inboxes",
                                "update",
                                "--inbox-id",
                                address,
                                "--body",
                                JsonText.json("display_name", null),
                                "--json")
                        .has("display_name"))
                .isFalse();
        assertThat(out("messages", "list", "--inbox-id", address)).isEmpty();
    }

    @Test
    void nullStaysNull() {
        String address = json(
                        "inboxes",
                        "create",
                        "--username",
                        "cli-null",
                        "--body",
                        JsonText.json("metadata", object("a", 1, "b", 2)),
                        "--json")
                .text("email");
        String member = JsonText.json("metadata", object("a", null));
        assertThat(out("inboxes", "update", "--inbox-id", address, "--body", member, "--fields", "metadata"))
                .isEqualTo("metadata  {\"b\":2}\n");
        assertThat(json("inboxes", "update", "--inbox-id", address, "--metadata", "null", "--json")
                        .has("metadata"))
                .isFalse();
    }

    @Test
    void refusalsHaveTheOneFormAndAStatusOfTheirOwn() {
        MailProbe missing = probe().run("inboxes", "get", "--inbox-id", "nobody@mail.localhost");
        assertThat(missing.status()).isEqualTo(4);
        assertThat(missing.err()).contains("(not_found, 404)").contains("request ");
        assertThat(missing.out()).isEmpty();
        MailProbe asJson = probe().run("inboxes", "get", "--inbox-id", "nobody@mail.localhost", "--json");
        assertThat(asJson.status()).isEqualTo(4);
        assertThat(JsonTree.of(asJson.err().getBytes(StandardCharsets.UTF_8)).text("code"))
                .isEqualTo("not_found");
        MailProbe faulty = probe().run("inboxes", "create", "--username", "not an address");
        assertThat(faulty.status()).isEqualTo(4);
        assertThat(faulty.err()).contains("username: ");
        MailProbe stranger = MailProbe.at(world.httpPort(), "inb_nobody").run("pods", "list");
        assertThat(stranger.status()).isEqualTo(4);
        assertThat(stranger.err()).doesNotContain("inb_nobody");
    }

    @Test
    void aWrongCommandLineNeverReachesTheServer() {
        assertThat(probe().run().status()).isEqualTo(2);
        assertThat(probe().run("messages").status()).isEqualTo(2);
        assertThat(probe().run("messages", "fly").err()).contains("there is no command fly");
        assertThat(probe().run("inboxes", "list", "--ascending=perhaps").err()).contains("true or false");
        assertThat(probe().run("inboxes", "list", "--limit=x").err()).contains("whole number");
        assertThat(probe().run("inboxes", "list", "--json", "--fields", "a").err())
                .contains("--json prints all of it");
        assertThat(probe().run("inboxes", "create", "--body", "[]").status()).isEqualTo(2);
        assertThat(probe().run("inboxes", "create", "--body", "@/nowhere").err())
                .contains("cannot be read");
        assertThat(probe().run("threads", "get", "--pod-id", "x").err()).contains("it takes --thread-id, or");
        assertThat(new MailProbe(Map.of("INBOXD_URL", "mail.example"))
                        .run("pods", "list")
                        .err())
                .contains("INBOXD_URL must be like");
        assertThat(new MailProbe(Map.of()).run("pods", "list").err()).contains("set INBOXD_KEY");
        MailProbe away = new MailProbe(Map.of("INBOXD_URL", "http://127.0.0.1:1", "INBOXD_KEY", "k"));
        assertThat(away.run("pods", "list").status()).isEqualTo(5);
        assertThat(away.err()).contains("cannot be reached");
    }

    @Test
    void filesAndPagesAreWrittenAsTheyAre() {
        assertThat(out("llms-txt", "get")).startsWith("# ");
        assertThat(out("healthz", "get")).contains("status");
        assertThat(new MailProbe(Map.of("INBOXD_URL", "http://127.0.0.1:" + world.httpPort()))
                        .run("healthz", "get")
                        .status())
                .isZero();
    }

    @Test
    void theTailHasALineForEachEvent() {
        String inbox = world.inbox("cli-tail");
        MailProbe tail = probe();
        Thread running = Thread.ofVirtual()
                .start(() -> tail.run("tail", "--inbox-id", inbox, "--event-type", "message.received", "--limit", "2"));
        Eventually.await(() -> tail.err().contains("Listening"));
        send(inbox, inbox, "Tail 1", "x");
        send(inbox, inbox, "Tail 2", "x");
        Eventually.await(() -> !running.isAlive());
        assertThat(tail.status()).isZero();
        assertThat(tail.out().lines()).hasSize(2).allMatch(line -> line.startsWith("message.received  " + inbox));
        assertThat(tail.out()).contains("Tail 1").contains("Tail 2");
    }

    @Test
    void eventsArePostedToTheLaptopSignedAndAgainWhenTheyAreNotTaken() throws Exception {
        String inbox = world.inbox("cli-listen");
        BlockingQueue<Map<String, String>> taken = new LinkedBlockingQueue<>();
        HttpServer endpoint = endpoint(taken);
        String webhooks = out("webhooks", "list", "--json");
        try {
            MailProbe listen = probe();
            String url = "http://127.0.0.1:" + endpoint.getAddress().getPort() + "/hook";
            Thread running = Thread.ofVirtual()
                    .start(() -> listen.run(
                            "listen",
                            "--forward-to",
                            url,
                            "--secret",
                            SECRET,
                            "--inbox-id",
                            inbox,
                            "--event-type",
                            "message.received",
                            "--limit",
                            "1"));
            Eventually.await(() -> listen.err().contains("Posting to"));
            send(inbox, inbox, "To the laptop", "x");
            Map<String, String> refused = taken.poll(20, TimeUnit.SECONDS);
            Map<String, String> posted = taken.poll(20, TimeUnit.SECONDS);
            assertThat(refused).isNotNull();
            assertThat(posted).isNotNull();
            assertThat(posted.get("webhook-id")).startsWith("msg_").isEqualTo(refused.get("webhook-id"));
            String body = Objects.requireNonNull(posted.get("body"));
            assertThat(body).contains("To the laptop");
            assertThat(posted.get("webhook-signature"))
                    .isEqualTo(new WebhookSignature(SECRET)
                            .of(
                                    Objects.requireNonNull(posted.get("webhook-id")),
                                    Long.parseLong(Objects.requireNonNull(posted.get("webhook-timestamp"))),
                                    body.getBytes(StandardCharsets.UTF_8)));
            Eventually.await(() -> !running.isAlive());
            assertThat(listen.out()).contains("500  message.received").contains("204  message.received");
            assertThat(listen.out()).doesNotContain("whsec_");
        } finally {
            endpoint.stop(0);
        }
        assertThat(out("webhooks", "list", "--json")).isEqualTo(webhooks);
    }

    /** An endpoint that fails once. */
    private static HttpServer endpoint(BlockingQueue<Map<String, String>> taken) throws IOException {
        HttpServer endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        AtomicBoolean isBroken = new AtomicBoolean(true);
        endpoint.createContext("/hook", exchange -> {
            int status = isBroken.getAndSet(false) ? 500 : 204;
            taken.add(Map.of(
                    "webhook-id", exchange.getRequestHeaders().getFirst("webhook-id"),
                    "webhook-timestamp", exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                    "webhook-signature", exchange.getRequestHeaders().getFirst("webhook-signature"),
                    "body", new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        endpoint.start();
        return endpoint;
    }
}
