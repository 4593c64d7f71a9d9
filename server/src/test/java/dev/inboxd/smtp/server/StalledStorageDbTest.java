package dev.inboxd.smtp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.ForwardingBlobs;
import dev.inboxd.inbound.InboundCommits;
import dev.inboxd.inbound.InboundParts;
import dev.inboxd.inbound.InboundStore;
import dev.inboxd.inbound.InboxRecipient;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.NullPath;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.screening.MessageScreen;
import dev.inboxd.server.World;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.organization.SecurityMode;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of mail while what keeps it stalls. */
class StalledStorageDbTest {
    private static final SmtpCommand.Mail MAIL = new SmtpCommand.Mail(NullPath.NULL, -1, false, false, MailDsn.NONE);
    private static final Peer PEER = new Peer(InetAddress.getLoopbackAddress(), "x.test", false);

    @RegisterExtension
    private static final World world = World.start();

    /** A store that stalls must not make every session that may be open hold a parsed message (promise P15). */
    @Test
    @Proves("P15")
    void whileTheStoreStallsMailBeyondTheMemoryIsRefusedForNow(@TempDir Path folder) throws Exception {
        String inbox = world.inbox("stall");
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        MessageMemory memory = new MessageMemory(0, Duration.ZERO);
        int all = memory.available();
        Spools spools = new Spools(folder.resolve("spool"), 256 * 1024, new SpoolMemory(1 << 20));
        try (Blobs blobs = new Stalling(Blobs.at(folder.resolve("blobs").toString()), stalled, release);
                ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
            InboundStore ingest = new InboundStore(parts(blobs), memory, Duration.ofMinutes(1));
            Future<SmtpReply> first = sessions.submit(() -> accept(ingest, spools, inbox, "<s1@x.test>", 600_000));
            try {
                assertThat(stalled.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(memory.available()).isLessThan(all);
                assertThat(accept(ingest, spools, inbox, "<s2@x.test>", 600_000).toString())
                        .startsWith("451 4.3.1");
                assertThat(accept(ingest, spools, inbox, "<s3@x.test>", 1_000).code())
                        .isEqualTo(250);
            } finally {
                release.countDown();
            }
            assertThat(first.get().code()).isEqualTo(250);
            assertThat(accept(ingest, spools, inbox, "<s2@x.test>", 600_000).code())
                    .isEqualTo(250);
            assertThatThrownBy(() -> accept(ingest, spools, "nobody", "<s4@x.test>", 1_000))
                    .isInstanceOf(RuntimeException.class);
            assertThat(memory.available()).isEqualTo(all);
        }
    }

    /** A writer that hangs holds no session forever; what it writes in the end is the message that is repeated (P1). */
    @Test
    @Proves("P1b")
    void aCommitThatTakesTooLongIsNoYesAndARepeatOfWhatCameAfterAllIsAbsorbed(@TempDir Path folder) throws Exception {
        String inbox = world.inbox("hanging");
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        MessageMemory memory = new MessageMemory(0, Duration.ZERO);
        int all = memory.available();
        Spools spools = new Spools(folder.resolve("spool"), 256 * 1024, new SpoolMemory(1 << 20));
        try (Blobs blobs = Blobs.at(folder.resolve("blobs").toString());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            InboundStore hasty = new InboundStore(parts(blobs), memory, Duration.ofMillis(50));
            Future<?> holder =
                    threads.submit(() -> world.database().run(world.organization(), _ -> wait(held, release)));
            held.await();
            try {
                assertThatThrownBy(() -> accept(hasty, spools, inbox, "<h1@x.test>", 1_000))
                        .isInstanceOf(InboundCommits.CommitTimeoutException.class);
                int left = memory.available();
                assertThat(left).as("what may still be written is still held").isLessThan(all);
                assertThatThrownBy(() -> accept(hasty, spools, inbox, "<h2@x.test>", 1_000))
                        .isInstanceOf(InboundCommits.CommitTimeoutException.class);
                assertThat(memory.available())
                        .as("what nobody began to write is not")
                        .isGreaterThanOrEqualTo(left);
            } finally {
                release.countDown();
            }
            holder.get();
            InboundStore patient = new InboundStore(parts(blobs), memory, Duration.ofMinutes(1));
            assertThat(accept(patient, spools, inbox, "<h1@x.test>", 1_000).code())
                    .isEqualTo(250);
            assertThat(accept(patient, spools, inbox, "<h2@x.test>", 1_000).code())
                    .isEqualTo(250);
            assertThat(world.http()
                            .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true")
                            .is(200)
                            .list("messages"))
                    .hasSize(2);
            Eventually.await(() -> memory.available() >= all);
        }
    }

    private static void wait(CountDownLatch begun, CountDownLatch end) {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static InboundStore.Parts parts(Blobs blobs) {
        return InboundParts.of(
                world, blobs, MessageScreen.of(SecurityMode.OFF, _ -> ScreenVerdict.CLEAR, Duration.ofSeconds(2)));
    }

    private static SmtpReply accept(InboundStore ingest, Spools spools, String inbox, String id, int size)
            throws IOException {
        UUID unknown = new UUID(1, 2);
        dev.inboxd.mail.smtp.SmtpPath to =
                new dev.inboxd.mail.smtp.SmtpPath(inbox.replace("@mail.localhost", ""), "mail.localhost");
        Recipient destination = inbox.equals("nobody")
                ? new InboxRecipient(new AddressDirectory.Destination(unknown, unknown))
                : Objects.requireNonNull(ingest.recipient(MAIL, to, PEER).destination());
        Envelope envelope = new Envelope(
                "e1",
                PEER,
                NullPath.NULL,
                List.of(to),
                Map.of(destination, List.of(to)),
                false,
                world.clock().instant(),
                DsnRequest.NONE);
        byte[] octets = (mail(id) + "x".repeat(70).concat("\r\n").repeat(size / 72)).getBytes(StandardCharsets.UTF_8);
        try (SpoolWriter writer = spools.begin()) {
            writer.write(octets, 0, octets.length);
            try (Spool spool = writer.finish(0, id)) {
                return ingest.accept(envelope, spool).reply();
            }
        }
    }

    /** A blob store that takes its time. */
    private static final class Stalling extends ForwardingBlobs {
        private final CountDownLatch stalled;
        private final CountDownLatch release;

        Stalling(Blobs blobs, CountDownLatch stalled, CountDownLatch release) {
            super(blobs);
            this.stalled = stalled;
            this.release = release;
        }

        @Override
        public void put(BlobKey key, InputStream content, long size) {
            stalled.countDown();
            try {
                release.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            super.put(key, content, size);
        }
    }

    private static String mail(String id) {
        return "From: Jo <jo@example.com>\nTo: agent@mail.localhost\nSubject: Hello\nMessage-ID: " + id
                + "\n\nHello there.\n";
    }
}
