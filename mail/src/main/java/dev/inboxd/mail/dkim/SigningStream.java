package dev.inboxd.mail.dkim;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Instant;

/** Receives one message, from its first header field to its last line, and produces its signature. Not thread-safe. */
public final class SigningStream extends OutputStream {
    private static final int MAX_HEADER = 1 << 20;
    private static final byte[] EMPTY_LINE = {'\r', '\n', '\r', '\n'};

    private final DkimSigner signer;
    private final ByteArrayOutputStream header = new ByteArrayOutputStream();
    private final BodyHash body = new BodyHash(Canonicalization.RELAXED);
    private int emptyLine; // octets of EMPTY_LINE seen so far

    SigningStream(DkimSigner signer) {
        this.signer = signer;
    }

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    /**
     * Receives a block of the message.
     *
     * @throws IllegalArgumentException when the header section is longer than 1 MiB
     */
    @Override
    public void write(byte[] octets, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (at < end && emptyLine < EMPTY_LINE.length) {
            headerOctet(octets[at++]);
        }
        body.update(octets, at, end - at);
    }

    private void headerOctet(byte octet) {
        if (header.size() == MAX_HEADER) {
            throw new IllegalArgumentException("The header section has over " + MAX_HEADER + " octets");
        }
        header.write(octet);
        if (octet == EMPTY_LINE[emptyLine]) {
            emptyLine++;
        } else {
            emptyLine = octet == '\r' ? 1 : 0;
        }
    }

    /**
     * Ends the message and signs it. Call it once, at the end.
     *
     * @param now the time of the signature, which is valid for 7 days from then
     * @return the DKIM-Signature field (RFC 6376 §3.5), or two of them, folded, each with its CRLF, in ASCII; it
     *     belongs on top of the message
     */
    public byte[] signature(Instant now) {
        return signer.sign(header.toByteArray(), body.fullHash(), now);
    }
}
