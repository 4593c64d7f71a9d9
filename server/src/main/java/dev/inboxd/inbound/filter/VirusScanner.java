package dev.inboxd.inbound.filter;

import dev.inboxd.mail.smtp.SmtpReply;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans messages with clamd, by its command INSTREAM (clamd(8)). A message with a virus is refused in the SMTP
 * dialogue, so that only its sender is told. While clamd does not answer, messages are refused temporarily: the sender
 * tries again for days (RFC 5321 §4.5.4.1), and no message is accepted unscanned.
 */
public final class VirusScanner {
    private static final Logger LOG = LoggerFactory.getLogger(VirusScanner.class);
    private static final SmtpReply UNAVAILABLE =
            SmtpReply.of(451, "4.3.0", "The virus scanner does not answer, try again later");
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** Concurrent scans: what clamd runs in parallel by default. Further ones would only wait there. */
    private static final int MAX_SCANS = 10;

    private static final int CHUNK = 32 * 1024;
    /** Octets of a message that are scanned: clamd closes the connection at its StreamMaxLength, often 25 MiB. */
    static final int LARGEST = 20 * 1024 * 1024;

    private static final int MAX_ANSWER = 1024;

    private final InetSocketAddress clamd;
    private final Duration timeout;
    private final Semaphore permits = new Semaphore(MAX_SCANS);

    /** A scanner at that address; the name is resolved for each message. */
    public VirusScanner(String host, int port) {
        this(InetSocketAddress.createUnresolved(host, port), TIMEOUT);
    }

    VirusScanner(InetSocketAddress clamd, Duration timeout) {
        this.clamd = clamd;
        this.timeout = timeout;
    }

    /**
     * Scans a message. Blocks for a minute at most.
     *
     * @param message from its first octet; the caller closes it
     * @return the reply in place of 250, or null when nothing was found
     * @throws IOException when the message cannot be read
     */
    @Nullable
    SmtpReply refusal(InputStream message) throws IOException {
        try {
            if (!permits.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return UNAVAILABLE;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return UNAVAILABLE;
        }
        try {
            return reply(scan(message));
        } finally {
            permits.release();
        }
    }

    private @Nullable SmtpReply reply(String answer) {
        if (answer.endsWith(" OK")) {
            return null;
        }
        if (answer.endsWith(" FOUND")) {
            String name = answer.substring(answer.indexOf(':') + 1, answer.length() - " FOUND".length())
                    .strip();
            boolean plain = name.chars().allMatch(c -> c > ' ' && c < 0x7F);
            return SmtpReply.of(550, "5.7.1", "Refused, the message contains a virus" + (plain ? ": " + name : ""));
        }
        LOG.warn("Virus scanner gives no result address={} answer=\"{}\"", clamd, answer);
        // A message over the scanner's own size limit is accepted: a retry would never be answered either.
        return answer.contains("size limit exceeded") ? null : UNAVAILABLE;
    }

    /** The scanner's answer, or the reason why there is none. */
    private String scan(InputStream message) throws IOException {
        byte[] chunk = message.readNBytes(CHUNK); // an unreadable spool throws; it is not the scanner's fault
        CountDownLatch done = new CountDownLatch(1);
        try (Socket socket = new Socket()) {
            Thread.startVirtualThread(() -> closeAfterTimeout(socket, done));
            socket.connect(new InetSocketAddress(clamd.getHostString(), clamd.getPort()), (int) CONNECT.toMillis());
            socket.setSoTimeout((int) timeout.toMillis());
            try {
                write(socket, chunk, message);
            } catch (IOException closed) {
                // clamd may answer before the end of the stream; its answer is the reason then.
                String early = answer(socket);
                return early.isEmpty() ? closed.toString() : early;
            }
            return answer(socket);
        } catch (IOException away) {
            return away.toString();
        } finally {
            done.countDown();
        }
    }

    private static void write(Socket socket, byte[] first, InputStream remaining) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.write("zINSTREAM\0".getBytes(StandardCharsets.US_ASCII));
        int left = LARGEST;
        for (byte[] chunk = first; chunk.length > 0; chunk = remaining.readNBytes(Math.min(CHUNK, left))) {
            out.writeInt(chunk.length);
            out.write(chunk);
            left -= chunk.length;
        }
        out.writeInt(0);
        out.flush();
    }

    private static String answer(Socket socket) throws IOException {
        byte[] octets = socket.getInputStream().readNBytes(MAX_ANSWER);
        String text = new String(octets, StandardCharsets.UTF_8);
        int end = text.indexOf(0);
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    private void closeAfterTimeout(Socket socket, CountDownLatch done) {
        try {
            if (!done.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                socket.close();
            }
        } catch (InterruptedException | IOException ended) {
            LOG.debug("Scan timer ended", ended);
        }
    }
}
