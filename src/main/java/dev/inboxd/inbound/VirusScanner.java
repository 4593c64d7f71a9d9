package dev.inboxd.inbound;

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
 * Asks a clamd about messages, by its command INSTREAM (clamd(8)). A message with a virus is refused in the dialogue, so
 * that its sender hears of it and nobody else does. While the scanner does not answer, mail is put off: it stays with its
 * sender, who tries again for days (RFC 5321 §4.5.4.1), and none gets in unseen.
 */
public final class VirusScanner {
    private static final Logger LOG = LoggerFactory.getLogger(VirusScanner.class);
    private static final SmtpReply AWAY =
            SmtpReply.of(451, "4.3.0", "The virus scanner does not answer, try again later");
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** As many as clamd works on at once by default; more would only wait there. */
    private static final int AT_ONCE = 10;

    private static final int PIECE = 32 * 1024;
    /** Of larger mail the beginning is looked at: clamd hangs up on more than its StreamMaxLength, often 25 MiB. */
    static final int LARGEST = 20 * 1024 * 1024;

    private static final int LONGEST_ANSWER = 1024;

    private final InetSocketAddress clamd;
    private final Duration patience;
    private final Semaphore places = new Semaphore(AT_ONCE);

    /** A scanner at that address, whose name is looked up anew for each message. */
    public VirusScanner(String host, int port) {
        this(InetSocketAddress.createUnresolved(host, port), PATIENCE);
    }

    VirusScanner(InetSocketAddress clamd, Duration patience) {
        this.clamd = clamd;
        this.patience = patience;
    }

    /**
     * Scans a message. Blocks for a minute at most.
     *
     * @param message from its first octet; the caller closes it
     * @return what the client hears instead of 250, or null when nothing was found
     */
    @Nullable
    SmtpReply refusal(InputStream message) throws IOException {
        try {
            if (!places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return AWAY;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return AWAY;
        }
        try {
            return judge(scan(message));
        } finally {
            places.release();
        }
    }

    private @Nullable SmtpReply judge(String answer) {
        if (answer.endsWith(" OK")) {
            return null;
        }
        if (answer.endsWith(" FOUND")) {
            String name = answer.substring(answer.indexOf(':') + 1, answer.length() - " FOUND".length())
                    .strip();
            boolean plain = name.chars().allMatch(c -> c > ' ' && c < 0x7F);
            return SmtpReply.of(550, "5.7.1", "Refused, the message contains a virus" + (plain ? ": " + name : ""));
        }
        LOG.warn("The virus scanner at {} gives no answer: {}", clamd, answer);
        // What is over the scanner's own limit would never be answered otherwise, and be lost to its sender.
        return answer.contains("size limit exceeded") ? null : AWAY;
    }

    /** What the scanner says, or why it says nothing. */
    private String scan(InputStream message) throws IOException {
        byte[] piece = message.readNBytes(PIECE); // a spool that cannot be read is not the scanner's fault
        CountDownLatch done = new CountDownLatch(1);
        try (Socket socket = new Socket()) {
            Thread.startVirtualThread(() -> endAfterPatience(socket, done));
            socket.connect(new InetSocketAddress(clamd.getHostString(), clamd.getPort()), (int) CONNECT.toMillis());
            socket.setSoTimeout((int) patience.toMillis());
            try {
                write(socket, piece, message);
            } catch (IOException closed) {
                // It answers before the end when it has seen enough; what it said comes first.
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

    private static void write(Socket socket, byte[] first, InputStream rest) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.write("zINSTREAM\0".getBytes(StandardCharsets.US_ASCII));
        int left = LARGEST;
        for (byte[] piece = first; piece.length > 0; piece = rest.readNBytes(Math.min(PIECE, left))) {
            out.writeInt(piece.length);
            out.write(piece);
            left -= piece.length;
        }
        out.writeInt(0);
        out.flush();
    }

    private static String answer(Socket socket) throws IOException {
        byte[] octets = socket.getInputStream().readNBytes(LONGEST_ANSWER);
        String text = new String(octets, StandardCharsets.UTF_8);
        int end = text.indexOf(0);
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    private void endAfterPatience(Socket socket, CountDownLatch done) {
        try {
            if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                socket.close();
            }
        } catch (InterruptedException | IOException ended) {
            LOG.debug("A scan ends by itself", ended);
        }
    }
}
