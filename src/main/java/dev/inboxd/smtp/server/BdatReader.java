package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.LineCheck;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A message that comes in chunks, RFC 3030. What is wrong with it is said after the chunk that shows it. */
final class BdatReader implements DotReader.Content, AutoCloseable {
    private final Envelope envelope;
    private final DataReceiver data;
    private final LineCheck lines = new LineCheck();
    private final MinimumDataRate pace;

    BdatReader(Envelope envelope, DataReceiver data, MinimumDataRate pace) {
        this.envelope = envelope;
        this.data = data;
        this.pace = pace;
    }

    Envelope envelope() {
        return envelope;
    }

    DataReceiver data() {
        return data;
    }

    /** Reads the octets of one chunk. */
    void read(SmtpConnection wire, long size) throws IOException {
        wire.octets(size, this, pace);
    }

    @Override
    public void take(byte[] buffer, int from, int to) {
        lines.scan(buffer, from, to);
        data.take(buffer, from, to);
    }

    /** Why the message cannot be taken, as far as it came; null when it can. */
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
