package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.MessageScanner;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the content of one message into the spool. The first reason to refuse the message is remembered rather than
 * thrown, because the data must be read to its end before a reply may be sent.
 */
final class DataReceiver implements DotReader.Content, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataReceiver.class);
    /** A client that sends more than this multiple of the size limit is disconnected. */
    private static final int HOPELESS = 10;

    private final long limit;
    private final int maxReceived;
    private final SpoolWriter writer;
    private final int clientStart;
    private final MessageDigest digest = Spools.sha256();
    private final MessageScanner head = new MessageScanner(digest);
    private long received;
    private @Nullable SmtpReply refusal;

    /**
     * Begins a spool entry with our trace fields.
     *
     * @param limit maximum octets of the client's content; our trace fields do not count
     * @param maxReceived number of Received fields at which the message counts as looping (RFC 5321 §6.3)
     * @param trace our trace fields, each with its CRLF
     * @throws IOException when the spool cannot be written
     */
    DataReceiver(Spools spools, long limit, int maxReceived, String trace) throws IOException {
        byte[] octets = trace.getBytes(StandardCharsets.UTF_8);
        this.limit = limit;
        this.maxReceived = maxReceived;
        this.clientStart = octets.length;
        this.writer = spools.begin();
        this.writer.write(octets, 0, octets.length);
    }

    @Override
    public void take(byte[] buffer, int from, int to) {
        received += to - from;
        if (received > limit) {
            refuse(SmtpReply.TOO_LARGE);
            if (received / HOPELESS > limit) {
                throw new DisconnectException(SmtpReply.TOO_LARGE);
            }
        }
        if (refusal == null) {
            head.scan(buffer, from, to);
            try {
                writer.write(buffer, from, to);
            } catch (IOException e) {
                LOG.warn("Spool write failed, message refused with 452", e);
                refuse(SmtpReply.NO_STORAGE);
            }
        }
    }

    /** The reply that refuses the message; null when there is no reason to refuse it. */
    @Nullable
    SmtpReply refusal() {
        return refusal == null && head.received() >= maxReceived ? SmtpReplies.MAIL_LOOP : refusal;
    }

    /** The client's octets so far. */
    long received() {
        return received;
    }

    Spool finish() throws IOException {
        return writer.finish(clientStart, HexFormat.of().formatHex(digest.digest()));
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            LOG.warn("Spool file not removed, the next start removes it", e);
        }
    }

    private void refuse(SmtpReply reason) {
        if (refusal == null) {
            refusal = reason;
            close();
        }
    }
}
