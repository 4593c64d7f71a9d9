package dev.inboxd.backup;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Mail that comes, is sent and is deleted, in one inbox of a running service. */
final class MailTraffic implements AutoCloseable {
    private static final int LARGE = 320 << 10;

    final AtomicInteger received = new AtomicInteger();
    final AtomicInteger sent = new AtomicInteger();
    final AtomicInteger deleted = new AtomicInteger();
    private final World world;
    private final String inbox;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopping;

    MailTraffic(World world, String inbox) {
        this.world = world;
        this.inbox = inbox;
    }

    /** Lets mail come, go and be deleted until {@link #stop}. */
    List<Future<?>> start() {
        return List.of(
                workers.submit(() -> repeat(this::receiveSome)),
                workers.submit(() -> repeat(this::send)),
                workers.submit(() -> repeat(() -> deleteOne())));
    }

    void stop(List<Future<?>> running) throws Exception {
        stopping = true;
        for (Future<?> each : running) {
            each.get();
        }
    }

    private void repeat(Runnable work) {
        while (!stopping) {
            work.run();
        }
    }

    private void receiveSome() {
        receive(received.get() % 4 == 0 ? LARGE : 2_000);
    }

    /** Takes in a message whose attachment has so many octets that do not repeat. */
    void receive(int octets) {
        byte[] attachment = new byte[octets];
        int number = received.get();
        new Random(number).nextBytes(attachment);
        String message = "From: ann@x.test\nTo: " + inbox + "\nSubject: number " + number + "\nMIME-Version: 1.0\n"
                + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nNumber " + number
                + ".\n--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=a.bin\n"
                + "Content-Transfer-Encoding: base64\n\n"
                + Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(attachment) + "\n--b--\n";
        try (SmtpProbe session = new SmtpProbe(world.smtpPort())) {
            assertThat(session.send("ann@x.test", List.of(inbox), message)).startsWith("250");
        }
        received.incrementAndGet();
    }

    private void send() {
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "jo@elsewhere.test", "subject", "sent " + sent.get(), "text", "Hello."))
                .is(200);
        sent.incrementAndGet();
    }

    /** Deletes a large message for good, if there is one. */
    boolean deleteOne() {
        for (Object each : world.http()
                .get("/v0/inboxes/" + inbox + "/messages?limit=100&include_unauthenticated=true")
                .is(200)
                .list("messages")) {
            if (each instanceof Map<?, ?> message
                    && message.get("size") instanceof Number size
                    && size.longValue() > LARGE) {
                world.http()
                        .delete("/v0/inboxes/" + inbox + "/messages/"
                                + URLEncoder.encode(String.valueOf(message.get("message_id")), StandardCharsets.UTF_8))
                        .is(200);
                deleted.incrementAndGet();
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        stopping = true;
        workers.close();
    }
}
