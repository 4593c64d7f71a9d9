package dev.inboxd.receive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * A message as it is stored: Return-Path, which stands first (RFC 5321 §4.4), our findings, our Received (RFC 8601 §4.1),
 * and what came, without what was forged in it.
 */
final class Stamped implements Octets {
    private static final int PIECE = 16 * 1024;

    private final byte[] field;
    private final Spool spool;
    private final List<Judgement.Span> kept;
    private final long size;
    private final String sha256;

    Stamped(Spool spool, Judgement judgement) throws IOException {
        this.field = judgement.field().getBytes(StandardCharsets.US_ASCII);
        this.spool = spool;
        this.kept = kept(judgement.forged());
        long left = judgement.forged().stream().mapToLong(span -> span.to() - span.from()).sum();
        this.size = field.length + spool.size() - left;
        this.sha256 = digest();
    }

    /** What stands before and between the forged fields; what follows the last of them is kept too. */
    private static List<Judgement.Span> kept(List<Judgement.Span> forged) {
        List<Judgement.Span> kept = new ArrayList<>();
        int from = 0;
        for (Judgement.Span span : forged) {
            kept.add(new Judgement.Span(from, span.from()));
            from = span.to();
        }
        kept.add(new Judgement.Span(from, Integer.MAX_VALUE));
        return kept;
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
        List<InputStream> parts = new ArrayList<>();
        byte[] trace = came.readNBytes(spool.clientStart());
        int returnPath = lineEnd(trace);
        parts.add(new ByteArrayInputStream(trace, 0, returnPath));
        parts.add(new ByteArrayInputStream(field));
        parts.add(new ByteArrayInputStream(trace, returnPath, trace.length - returnPath));
        int at = 0;
        for (Judgement.Span span : kept.subList(0, kept.size() - 1)) {
            came.skipNBytes(span.from() - at);
            parts.add(new ByteArrayInputStream(came.readNBytes(span.to() - span.from())));
            at = span.to();
        }
        came.skipNBytes(kept.getLast().from() - at);
        parts.add(came);
        return new SequenceInputStream(Collections.enumeration(parts));
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

    private String digest() throws IOException {
        MessageDigest digest = Spools.sha256();
        byte[] piece = new byte[PIECE];
        try (InputStream in = open()) {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                digest.update(piece, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
