package dev.inboxd.inbound.authentication;

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
 * A received message as it is stored: Return-Path, which stands first (RFC 5321 §4.4), our Authentication-Results, our
 * Received (RFC 8601 §4.1), then the client's octets without forged Authentication-Results fields.
 */
public final class TracedMessage implements MessageBytes {
    private static final int CHUNK = 16 * 1024;

    private final byte[] field;
    private final Spool spool;
    private final @Nullable String claimed;
    private final long size;
    private final String sha256;

    public TracedMessage(Spool spool, AuthenticationVerdict verdict) throws IOException {
        this.field = verdict.field().getBytes(StandardCharsets.US_ASCII);
        this.spool = spool;
        this.claimed = verdict.claimed();
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

    /** Adds all octets to the digest and returns their number. */
    private long digest(MessageDigest digest) throws IOException {
        byte[] chunk = new byte[CHUNK];
        long length = 0;
        try (InputStream in = open()) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                digest.update(chunk, 0, read);
                length += read;
            }
        }
        return length;
    }
}
