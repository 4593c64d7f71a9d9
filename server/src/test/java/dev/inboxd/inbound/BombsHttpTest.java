package dev.inboxd.inbound;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.inboxd.base.json.Json;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mail.dkim.SigningStream;
import dev.inboxd.mail.message.Bombs;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.MachineSpeed;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Promise P14 from the first octet to the last thing that is done about a message: taken over SMTP, its signature
 * checked, judged, stored, told to a webhook and made searchable. The work is on many threads, most of them virtual, so
 * the whole process is counted, less what this client needs for itself; the service does nothing else meanwhile.
 */
@Tag("alone")
class BombsHttpTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final long CPU_NANOS = 2_000_000_000L;
    /** Twice what reading alone may: a large message passes through some more buffers, and is never held whole. */
    private static final long OCTETS = 128L * 1024 * 1024;
    /** Of what was cold on the first try, or disturbed by another process, the least says nothing any more. */
    private static final int TRIES = 10;

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final DkimKey KEY = DkimKey.generate();
    private static World world;
    private static FakeEndpoint hook;
    private static String inbox;

    /** What a message took of the processor and of the heap, all garbage included. */
    private record Cost(long nanos, long octets) {
        static Cost now() {
            // Carriers do what virtual threads do, and are counted; GC and compiler are in the time.
            return new Cost(
                    PROCESS.getProcessCpuTime() - THREADS.getCurrentThreadCpuTime(),
                    THREADS.getTotalThreadAllocatedBytes() - THREADS.getCurrentThreadAllocatedBytes());
        }

        Cost minus(Cost before) {
            return new Cost(nanos - before.nanos, octets - before.octets);
        }

        /** Twice the time counts as once where everything takes twice as long just now. */
        Cost onAUsualMachine() {
            return nanos < CPU_NANOS ? this : new Cost((long) (nanos / MachineSpeed.slowness()), octets);
        }

        Cost least(Cost other) {
            return new Cost(Math.min(nanos, other.nanos), Math.min(octets, other.octets));
        }

        boolean isBounded() {
            return nanos < CPU_NANOS && octets < OCTETS;
        }
    }

    @BeforeAll
    static void start() {
        hook = FakeEndpoint.start();
        world = World.start();
        world.dns()
                .text("sender.test", "v=spf1 ip4:127.0.0.1 -all")
                .text("_dmarc.sender.test", "v=DMARC1; p=reject")
                .longText("s._domainkey.sender.test", KEY.dnsRecord());
        inbox = world.inbox("bombed");
        teach();
        world.http().post("/v0/webhooks", """
                {"url":"%s","event_types":["message.received","message.received.spam",
                "message.received.unauthenticated"]}""".formatted(hook.url("/"))).is(200);
    }

    @AfterAll
    static void stop() throws IOException {
        world.close();
        hook.close();
    }

    @TestFactory
    @Proves({"P14", "A14"})
    Stream<DynamicTest> everyBombIsTakenWholeWithinTwoSecondsAndAHundredAndTwentyEightMegabytes() {
        return Bombs.all().entrySet().stream()
                .map(bomb -> DynamicTest.dynamicTest(bomb.getKey(), () -> isBounded(bomb.getKey(), bomb.getValue())));
    }

    private static void isBounded(String name, Supplier<byte[]> bomb) throws IOException {
        byte[] octets = bomb.get();
        Cost least = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);
        for (int number = 0; number < TRIES && !least.isBounded(); number++) {
            byte[] message = signed(octets, name + " " + number);
            System.gc(); // what making the message left is not its cost
            Cost before = Cost.now();
            String told = send(message);
            Cost cost = Cost.now().minus(before);
            least = cost.onAUsualMachine().least(least);
            System.out.println(name + ", " + message.length + " octets: " + cost.nanos / 1_000_000 + " ms, at least "
                    + least.nanos / 1_000_000 + " on a usual machine, " + least.octets / 1024 + " KiB");
            isWhole(told, message);
        }
        assertThat(least.nanos).as("processor time").isLessThan(CPU_NANOS);
        assertThat(least.octets).as("allocated").isLessThan(OCTETS);
    }

    /** Until nothing more is done about it; returns its name as the webhook was told. */
    private static String send(byte[] message) {
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            assertThat(probe.command("MAIL FROM:<jo@sender.test>")).startsWith("250");
            assertThat(probe.command("RCPT TO:<" + inbox + ">")).startsWith("250");
            assertThat(probe.command("DATA")).startsWith("354");
            assertThat(probe.data(message)).startsWith("250");
        }
        String told = name(hook.take(PATIENCE));
        Eventually.await(world::isIndexed);
        return told;
    }

    private static String name(FakeEndpoint.Received post) {
        return Json.parse(post.content()) instanceof Map<?, ?> event && event.get("message") instanceof Map<?, ?> told
                ? String.valueOf(told.get("message_id"))
                : "none";
    }

    private static void isWhole(String name, byte[] message) {
        String link = world.http().get(path(name) + "/raw").is(200).text("download_url");
        byte[] raw =
                world.anonymous().get(URI.create(link).getRawPath()).is(200).body();
        assertThat(raw.length).isGreaterThan(message.length);
        assertThat(Arrays.equals(message, 0, message.length, raw, raw.length - message.length, raw.length))
                .isTrue();
    }

    private static String path(String name) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    /** Each try is another message, or it would be taken for a repeated delivery; the signature covers all of it. */
    private static byte[] signed(byte[] bomb, String name) {
        ByteArrayOutputStream message = new ByteArrayOutputStream(bomb.length + 4_000);
        byte[] own = ("X-Try: " + name + "\r\nFrom: jo@sender.test\r\n").getBytes(StandardCharsets.US_ASCII);
        SigningStream signing = new DkimSigner("sender.test", "s", KEY).open();
        try {
            signing.write(own, 0, own.length);
            signing.write(bomb, 0, bomb.length);
            message.writeBytes(signing.signature(world.clock().instant()));
        } catch (IllegalArgumentException unsignable) {
            assertThat(unsignable).as("the other way to be too large").hasMessageContaining("header section");
        }
        message.writeBytes(own);
        message.writeBytes(bomb);
        return message.toByteArray();
    }

    /** With as much as it takes for an organization's own judgement of spam to count. */
    private static void teach() {
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            for (int i = 0; i < 42; i++) {
                String id = "<" + i + "@sender.test>";
                boolean spam = i % 2 == 0;
                String mail = "From: jo@sender.test\nMessage-ID: " + id + "\n\n"
                        + (spam ? "Buy cheap pills " : "Please send item ") + i + "\n";
                assertThat(probe.send("jo@sender.test", List.of(inbox), mail)).startsWith("250");
                if (spam) {
                    world.http()
                            .patch(path(id), json("add_labels", List.of("spam")))
                            .is(200);
                }
            }
        }
        world.learn();
    }
}
