package dev.inboxd.inbound.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.inbound.FakeClamd;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A virus scanner and an Rspamd beside the service: what they say, and what their silence does. */
class ContentFiltersHttpTest {
    private static final FakeClamd CLAMD = new FakeClamd();
    private static final FakeEndpoint RSPAMD = FakeEndpoint.start();
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start(
                Map.of("INBOXD_CLAMAV", "127.0.0.1:" + CLAMD.address().getPort(), "INBOXD_SPAM_URL", RSPAMD.url("")));
    }

    @AfterAll
    static void stop() throws IOException {
        world.close();
        CLAMD.close();
        RSPAMD.close();
    }

    @Test
    @Proves({"A5a", "A5b"})
    void aVirusIsRefusedInTheDialogueAndNothingOfItIsKept() {
        RSPAMD.always(judging("no action"));
        String inbox = world.inbox("virus");
        assertThat(mail(inbox, "infected", FakeClamd.EICAR))
                .isEqualTo("550 5.7.1 Refused, the message contains a virus: Eicar-Test-Signature");
        assertThat(messages(inbox)).isEmpty();
        assertThat(mail(inbox, "clean", "Hello")).startsWith("250");
        assertThat(messages(inbox)).hasSize(1);
    }

    @Test
    @Proves("A5b")
    void whileTheScannerSaysNothingMailStaysWithItsSender() throws IOException {
        try (FakeClamd clamd = new FakeClamd().saying("")) {
            assertThat(scan(clamd.address(), "Hello")).as("silent").isEqualTo("451 4.3.0");
        }
        try (FakeClamd clamd = new FakeClamd().saying("INSTREAM: Can't allocate memory ERROR")) {
            assertThat(scan(clamd.address(), "Hello")).as("in trouble").isEqualTo("451 4.3.0");
        }
        int free;
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = nobody.getLocalPort();
        }
        assertThat(scan(new InetSocketAddress(InetAddress.getLoopbackAddress(), free), "Hello"))
                .as("away")
                .isEqualTo("451 4.3.0");
    }

    @Test
    @Tag("long")
    void largeMailIsScannedAsFarAsTheScannerTakesIt() throws IOException {
        try (FakeClamd clamd = new FakeClamd()) {
            assertThat(scan(clamd.address(), FakeClamd.EICAR + "x".repeat(VirusScanner.LARGEST)))
                    .isEqualTo("550 5.7.1");
            assertThat(Objects.requireNonNull(clamd.scanned().peek()))
                    .as("no more than it takes")
                    .hasSize(VirusScanner.LARGEST);
        }
        try (FakeClamd clamd = new FakeClamd().saying("INSTREAM size limit exceeded. ERROR")) {
            assertThat(scan(clamd.address(), "Hello"))
                    .as("a sender could never repeat it with success")
                    .isNull();
        }
        try (FakeClamd clamd = new FakeClamd().saying("stream: Bad\r\n250 Name FOUND")) {
            assertThat(scan(clamd.address(), "Hello"))
                    .as("no line of the dialogue is the scanner's")
                    .isEqualTo("550 5.7.1");
        }
    }

    @Test
    void rspamdIsToldWhoSentWhatAndItsWordIsTheLabel() {
        String inbox = world.inbox("rspamd");
        RSPAMD.received().clear();
        RSPAMD.always(judging("add header"));
        assertThat(mail(inbox, "offer", "Hello")).startsWith("250");
        FakeEndpoint.Received asked = RSPAMD.take();
        assertThat(asked.path()).isEqualTo("/checkv2");
        assertThat(asked.text()).startsWith("From: jo@friend.test\r\n").endsWith("\r\nHello\r\n");
        assertThat(asked.fields()).containsEntry("IP", "127.0.0.1").containsEntry("From", "jo@friend.test");
        assertThat(labels(inbox, "offer")).contains("spam");

        RSPAMD.always(judging("no action"));
        assertThat(world.mail(
                        "x@evil.test",
                        inbox,
                        "From: \"service@bank.test\" <x@evil.test>\nSubject: ACCOUNT LOCKED\n\n"
                                + "http://198.51.100.7/\n"))
                .startsWith("250");
        assertThat(labels(inbox, "ACCOUNT LOCKED"))
                .as("Rspamd's word is in place of ours")
                .doesNotContain("spam");
        RSPAMD.always(judging("greylist"));
        assertThat(mail(inbox, "later", "Hello")).startsWith("250");
        assertThat(labels(inbox, "later")).doesNotContain("spam");
    }

    @Test
    @Proves("A5b")
    void withoutAnAnswerOfRspamdTheBuiltInJudgementCounts() throws IOException {
        String inbox = world.inbox("fallback");
        String evil = "From: \"service@bank.test\" <x@evil.test>\nSubject: %s\n\nhttp://198.51.100.7/\n";
        for (FakeEndpoint.Behaviour broken : List.of(
                FakeEndpoint.status(500),
                FakeEndpoint.respond(200, "Content-Type: application/json\r\n", "{\"action\":"),
                FakeEndpoint.respond(200, "Content-Type: application/json\r\n", "[]"))) {
            try (FakeEndpoint rspamd = FakeEndpoint.start().always(broken);
                    World beside = world.beside(Map.of("INBOXD_SPAM_URL", rspamd.url("")))) {
                assertThat(beside.mail("x@evil.test", inbox, evil.formatted("LOCKED AGAIN " + rspamd.url(""))))
                        .startsWith("250");
                assertThat(labels(inbox, "LOCKED AGAIN " + rspamd.url(""))).contains("spam");
                assertThat(beside.mail("x@evil.test", inbox, evil.formatted("AND AGAIN " + rspamd.url(""))))
                        .startsWith("250");
                assertThat(rspamd.received())
                        .as("an odd answer is about one message")
                        .hasSize(2);
            }
        }
    }

    @Test
    @Proves("P15b")
    void anRspamdThatDoesNotAnswerAgainAndAgainIsLeftAloneForAWhile() throws IOException {
        String inbox = world.inbox("resting");
        try (FakeEndpoint rspamd = FakeEndpoint.start().always(FakeEndpoint.hangUp());
                World beside = world.beside(Map.of("INBOXD_SPAM_URL", rspamd.url("")))) {
            rspamd.then(FakeEndpoint.hangUp(), FakeEndpoint.hangUp(), judging("no action"));
            for (int i = 0; i < 8; i++) {
                assertThat(beside.mail("jo@friend.test", inbox, "From: jo@friend.test\nSubject: " + i + "\n\nHello\n"))
                        .startsWith("250");
            }
            assertThat(rspamd.received())
                    .as("two silences, an answer, three silences, and no more")
                    .hasSize(6);
        }
    }

    private static FakeEndpoint.Behaviour judging(String action) {
        return FakeEndpoint.respond(200, "Content-Type: application/json\r\n", """
                {"is_skipped":false,"score":4.5,\
                "symbols":{"X":{"score":1.0}},"action":"%s"}""".formatted(action));
    }

    private static @Nullable String scan(InetSocketAddress clamd, String text) throws IOException {
        SmtpReply reply = new VirusScanner(clamd, Duration.ofMillis(text.equals("Hello") ? 500 : 60_000))
                .refusal(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return reply == null ? null : reply.toString().substring(0, 9);
    }

    private static String mail(String inbox, String subject, String text) {
        return world.mail("jo@friend.test", inbox, "From: jo@friend.test\nSubject: " + subject + "\n\n" + text + "\n");
    }

    private static List<?> messages(String inbox) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_spam=true&include_unauthenticated=true")
                .is(200)
                .list("messages");
    }

    private static List<String> labels(String inbox, String subject) {
        Map<?, ?> found = messages(inbox).stream()
                .map(message -> (Map<?, ?>) message)
                .filter(message -> subject.equals(message.get("subject")))
                .findFirst()
                .orElseThrow();
        return Objects.requireNonNull((List<?>) found.get("labels")).stream()
                .map(String::valueOf)
                .toList();
    }
}
