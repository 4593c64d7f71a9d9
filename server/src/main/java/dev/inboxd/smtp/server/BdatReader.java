package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.LineCheck;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The content of one message sent with BDAT (RFC 3030). An error in the content is reported in the reply to the chunk
 * that contains it.
 */
final class BdatReader implements DotReader.Content, AutoCloseable {
    private final Envelope envelope;
    private final DataReceiver data;
    private final LineCheck lines = new LineCheck();
    private final MinimumDataRate rate;

    BdatReader(Envelope envelope, DataReceiver data, MinimumDataRate rate) {
        this.envelope = envelope;
        this.data = data;
        this.rate = rate;
    }

    Envelope envelope() {
        return envelope;
    }

    DataReceiver data() {
        return data;
    }

    /** Reads one chunk of that many octets. */
    void read(SmtpConnection connection, long size) throws IOException {
        connection.octets(size, this, rate);
    }

    @Override
    public void take(byte[] buffer, int from, int to) {
        lines.scan(buffer, from, to);
        data.take(buffer, from, to);
    }

    /**
     * The reply that refuses the message, judged by the octets received so far; null when there is no reason to refuse
     * it.
     *
     * @param last whether the chunk just read was the last one
     */
    @Nullable
    SmtpReply refusal(boolean last) {
        SmtpReply refusal = data.refusal();
        if (refusal != null) {
            return refusal;
        }
        return switch (last ? lines.end() : lines.state()) {
            case BARE_CR -> SmtpReplies.CHUNK_BARE_CR;
            case BARE_LF -> SmtpReplies.CHUNK_BARE_LF;
            case OPEN, END -> null;
        };
    }

    @Override
    public void close() {
        data.close();
    }
}
