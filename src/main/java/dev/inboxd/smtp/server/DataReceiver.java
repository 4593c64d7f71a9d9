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
 * Takes the data of one message into the spool. What is wrong with it is remembered, not thrown: the data is read to
 * its end.
 */
final class DataReceiver implements DotReader.Content, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataReceiver.class);
    /** Who goes on sending at this multiple of the limit is disconnected. */
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
     * Begins with our trace fields.
     *
     * @param limit for the client's octets alone
     * @param maxReceived with so many Received fields it is in a loop (RFC 5321 §6.3)
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
                LOG.warn("Cannot spool a message", e);
                refuse(SmtpReply.NO_STORAGE);
            }
        }
    }

    /** Why the message cannot be taken, null when it can. */
    @Nullable
    SmtpReply refusal() {
        return refusal == null && head.received() >= maxReceived ? SmtpReplies.MAIL_LOOP : refusal;
    }

    Spool finish() throws IOException {
        return writer.finish(clientStart, HexFormat.of().formatHex(digest.digest()));
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            LOG.warn("Cannot remove a spool file", e);
        }
    }

    private void refuse(SmtpReply reason) {
        if (refusal == null) {
            refusal = reason;
            close();
        }
    }
}
