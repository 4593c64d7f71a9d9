package dev.inboxd.inbound;

import dev.inboxd.mail.auth.AuthResultsFilterStream;
import dev.inboxd.smtp.server.Spool;
import dev.inboxd.smtp.server.Spools;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored: Return-Path, which stands first (RFC 5321 §4.4), our findings, our Received (RFC 8601 §4.1),
 * and what came, without what was forged in it.
 */
final class TracedMessage implements MessageBytes {
    private static final int PIECE = 16 * 1024;

    private final byte[] field;
    private final Spool spool;
    private final @Nullable String claimed;
    private final long size;
    private final String sha256;

    TracedMessage(Spool spool, AuthenticationVerdict judgement) throws IOException {
        this.field = judgement.field().getBytes(StandardCharsets.US_ASCII);
        this.spool = spool;
        this.claimed = judgement.claimed();
        MessageDigest digest = Spools.sha256();
        this.size = digest(digest);
        this.sha256 = HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public String sha256() {
        return sha256;
    }

    @Override
    public InputStream open() throws IOException {
        InputStream came = spool.open();
        byte[] trace = came.readNBytes(spool.clientStart());
        int returnPath = lineEnd(trace);
        return new SequenceInputStream(Collections.enumeration(List.of(
                new ByteArrayInputStream(trace, 0, returnPath),
                new ByteArrayInputStream(field),
                new ByteArrayInputStream(trace, returnPath, trace.length - returnPath),
                claimed == null ? came : new AuthResultsFilterStream(came, claimed))));
    }

    private static int lineEnd(byte[] trace) {
        int end = 0;
        while (end < trace.length && trace[end] != '\n') {
            end++;
        }
        return Math.min(end + 1, trace.length);
    }

    @Override
    public byte[] bytes() throws IOException {
        try (InputStream in = open()) {
            return in.readNBytes(Math.toIntExact(size));
        }
    }

    /** Takes all of it in; returns how many octets it has. */
    private long digest(MessageDigest digest) throws IOException {
        byte[] piece = new byte[PIECE];
        long length = 0;
        try (InputStream in = open()) {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                digest.update(piece, 0, read);
                length += read;
            }
        }
        return length;
    }
}
