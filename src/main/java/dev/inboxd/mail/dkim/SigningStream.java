package dev.inboxd.mail.dkim;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Instant;

/** Takes in one message, from its first header field to its last line, and gives its signature. For one thread. */
public final class SigningStream extends OutputStream {
    private static final int MAX_HEADER = 1 << 20;
    private static final byte[] EMPTY_LINE = {'\r', '\n', '\r', '\n'};

    private final DkimSigner signer;
    private final ByteArrayOutputStream header = new ByteArrayOutputStream();
    private final BodyHash body = new BodyHash(Canonicalization.RELAXED);
    private int emptyLine; // how much of EMPTY_LINE was just seen

    SigningStream(DkimSigner signer) {
        this.signer = signer;
    }

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    /**
     * Takes in a piece of the message.
     *
     * @throws IllegalArgumentException when the header section has over 1 MiB
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

    /** The DKIM-Signature field, folded, with its CRLF; valid from now on for 7 days. To be called once, at the end. */
    public byte[] signature(Instant now) {
        return signer.sign(header.toByteArray(), body.whole(), now);
    }
}
