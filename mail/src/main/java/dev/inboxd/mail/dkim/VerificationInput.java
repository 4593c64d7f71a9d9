package dev.inboxd.mail.dkim;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message for signature checks: its header fields at once, and its body in one pass, after all checks have requested
 * their hashes.
 */
public final class VerificationInput {
    /** A longer header section is not read, and no signature over it passes. */
    public static final int MOST_HEADER = 256 * 1024;

    private static final int PIECE = 16 * 1024;

    private final HeaderFields header;
    private final boolean complete;
    private final byte[] begun; // octets of the body that were read along with the header
    private final InputStream remainder;
    private final Map<Canonicalization, BodyHash> hashes = new EnumMap<>(Canonicalization.class);

    private VerificationInput(HeaderFields header, boolean complete, byte[] begun, InputStream remainder) {
        this.header = header;
        this.complete = complete;
        this.begun = begun;
        this.remainder = remainder;
    }

    /**
     * Reads the header section.
     *
     * @param message the octets from the first field on, lines ended by CR LF; the caller closes it after {@link
     *     #readBody}
     * @throws IOException when the stream itself fails; no content does
     */
    public static VerificationInput read(InputStream message) throws IOException {
        ByteArrayOutputStream start = new ByteArrayOutputStream(PIECE);
        byte[] piece = new byte[PIECE];
        int read = message.readNBytes(piece, 0, PIECE);
        start.write(piece, 0, read);
        byte[] octets = start.toByteArray();
        int end = headerEnd(octets, 0);
        while (end < 0 && read == PIECE && octets.length <= MOST_HEADER) {
            read = message.readNBytes(piece, 0, PIECE);
            start.write(piece, 0, read);
            int looked = octets.length;
            octets = start.toByteArray();
            end = headerEnd(octets, Math.max(0, looked - 3));
        }
        boolean complete = end >= 0 || read < PIECE;
        int headerLength = end >= 0 ? end : octets.length;
        int bodyStart = end >= 0 ? end + 2 : octets.length;
        return new VerificationInput(
                new HeaderFields(new String(octets, 0, headerLength, StandardCharsets.ISO_8859_1)),
                complete,
                Arrays.copyOfRange(octets, bodyStart, octets.length),
                message);
    }

    /** Index of the empty line, or -1. */
    private static int headerEnd(byte[] octets, int from) {
        if (octets.length >= 2 && octets[0] == '\r' && octets[1] == '\n') {
            return 0;
        }
        for (int i = from; i + 3 < octets.length; i++) {
            if (octets[i] == '\r' && octets[i + 1] == '\n' && octets[i + 2] == '\r' && octets[i + 3] == '\n') {
                return i + 2;
            }
        }
        return -1;
    }

    /** The fields, all of them or those that were read. */
    public HeaderFields header() {
        return header;
    }

    /** Whether the header section was read to its end. */
    public boolean isWhole() {
        return complete;
    }

    /**
     * Requests the hash of the body that a signature has, before the body is read.
     *
     * @throws MalformedSignatureException when its tags c= or l= are malformed
     */
    public void requireHash(SignatureTags signature) {
        Long limit = signature.number("l");
        BodyHash hash = hashes.computeIfAbsent(signature.bodyForm(), BodyHash::new);
        if (limit != null) {
            hash.limit(limit);
        }
    }

    /** Requests {@link #wholeBody}, before the body is read. */
    public void needWhole() {
        hashes.computeIfAbsent(Canonicalization.RELAXED, BodyHash::new);
    }

    /**
     * The SHA-256 hash of the whole body in relaxed form (RFC 6376 §3.4.4), for a new signature.
     *
     * @throws IllegalStateException when {@link #needWhole} was not called before the body was read
     */
    public byte[] wholeBody() {
        return hash(Canonicalization.RELAXED).fullHash();
    }

    /**
     * Reads the body to its end, if a hash was requested. Call it once, after every check was created.
     *
     * @throws IOException when the stream itself fails
     */
    public void readBody() throws IOException {
        if (hashes.isEmpty()) {
            return;
        }
        byte[] piece = begun;
        int length = begun.length;
        while (length >= 0) {
            for (BodyHash hash : hashes.values()) {
                hash.update(piece, 0, length);
            }
            piece = piece.length == PIECE ? piece : new byte[PIECE];
            length = remainder.read(piece, 0, PIECE);
        }
    }

    /** Whether the body has the hash of the signature, after {@link #requireHash} and {@link #readBody}. */
    boolean hasBody(SignatureTags signature) {
        Long limit = signature.number("l");
        byte @Nullable [] hash = hash(signature.bodyForm()).hash(limit == null ? BodyHash.NO_LIMIT : limit);
        return hash != null && Arrays.equals(hash, signature.bodyHash());
    }

    /** Octets at the end of the body's canonical form that l= leaves unsigned. */
    long unsigned(SignatureTags signature) {
        Long limit = signature.number("l");
        return limit == null ? 0 : hash(signature.bodyForm()).length() - limit;
    }

    private BodyHash hash(Canonicalization form) {
        BodyHash hash = hashes.get(form);
        if (hash == null) {
            throw new IllegalStateException("This hash was not requested before the body was read");
        }
        return hash;
    }

    /**
     * Whether the key verifies the signature: over the signed fields with the signature's own field last (§3.7), which
     * contains the hash of the body.
     *
     * @throws MalformedSignatureException when the signature is malformed
     */
    public boolean verifies(SignatureTags signature, DkimPublicKey key) {
        Canonicalization form = signature.headerForm();
        StringBuilder signed = new StringBuilder();
        for (HeaderFields.Field field : header.selected(signature.signedNames())) {
            signed.append(form.header(field.raw())).append("\r\n");
        }
        signed.append(signature.own(form));
        return hasBody(signature)
                && key.verifies(signed.toString().getBytes(StandardCharsets.ISO_8859_1), signature.signature());
    }
}
