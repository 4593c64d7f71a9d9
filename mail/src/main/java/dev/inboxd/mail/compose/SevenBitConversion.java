package dev.inboxd.mail.compose;

import dev.inboxd.mail.message.EntityLocator;
import dev.inboxd.mail.message.EntityPosition;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a message composed elsewhere to 7-bit form, for hosts without 8BITMIME (RFC 6152 §3): bodies beyond ASCII
 * are encoded, and their headers are changed accordingly. Everything else stays unchanged, octet for octet. The result
 * is generated each time it is read, from the stored message.
 */
public final class SevenBitConversion {
    private final AttachmentContent message;
    private final List<ComposedMessage.Section> pieces = new ArrayList<>();
    /** Octets of the message that the sections cover so far. */
    private long done;

    private SevenBitConversion(AttachmentContent message) {
        this.message = message;
    }

    /**
     * The message in 7-bit form. It is returned unchanged when it is 7-bit already, and when it cannot be converted as
     * a whole: with octets beyond ASCII in a header field, which needs SMTPUTF8 (RFC 6531 §3.2); in a signed or
     * encrypted part (RFC 1847 §2.1), around the parts of a multipart, or in a body with another encoding; beyond the
     * limits of parsing; and with an existing signature, which the conversion would break (RFC 6376 §5.3).
     */
    public static AttachmentContent of(AttachmentContent message) throws IOException {
        long eightBit = eightBit(message);
        if (eightBit == 0 || isSigned(message)) {
            return message;
        }
        List<EntityPosition> places;
        try (InputStream in = message.open()) {
            places = EntityLocator.of(in);
        }
        long encodable = places.stream().mapToLong(EntityPosition::eightBit).sum();
        return encodable == eightBit ? new SevenBitConversion(message).of(places) : message;
    }

    private static long eightBit(AttachmentContent message) throws IOException {
        try (InputStream in = message.open()) {
            byte[] piece = new byte[8 * 1024];
            long count = 0;
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                for (int i = 0; i < n; i++) {
                    count += piece[i] < 0 ? 1 : 0;
                }
            }
            return count;
        }
    }

    private static boolean isSigned(AttachmentContent message) throws IOException {
        RawHeader header = RawHeader.read(message);
        return header == null || !header.bodies("dkim-signature").isEmpty();
    }

    private AttachmentContent of(List<EntityPosition> places) throws IOException {
        for (EntityPosition place : places) {
            if (place.isLeaf()) {
                leaf(place);
            } else {
                // RFC 2045 §6.4: a composite entity has no encoding of its own, and its parts are 7bit now.
                header(place.header(), TransferEncoding.SEVEN_BIT, "");
            }
        }
        copy(message.length());
        return new Sections(pieces);
    }

    private void leaf(EntityPosition place) throws IOException {
        AttachmentContent body = new ContentSlice(message, place.body(), place.end());
        String type = place.header().typed() ? "" : "Content-Type: text/plain; charset=" + charset(body) + "\r\n";
        long base64 = TransferEncoding.base64Length(body.length());
        // An octet beyond ASCII takes three in quoted-printable: base64 is often seen to be shorter without encoding.
        long quoted = body.length() + 2 * place.eightBit() > base64 ? Long.MAX_VALUE : quotedLength(body);
        boolean isText = quoted <= base64;
        header(place.header(), isText ? TransferEncoding.QUOTED_PRINTABLE : TransferEncoding.BASE64, type);
        copy(place.body());
        pieces.add(
                isText
                        ? new ComposedMessage.Section(new QuotedPrintableBody(body, quoted), false)
                        : new ComposedMessage.Section(body, true));
        done = place.end();
    }

    /** @param type the Content-Type to add to a message without MIME-Version and Content-Type */
    private void header(EntityPosition.Header header, TransferEncoding encoding, String type) {
        boolean named = header.encoding() >= 0;
        if (named) {
            copy(header.encoding());
            write(" " + encoding.word);
            done = header.encodingEnd();
        }
        String missing = (header.versioned() ? "" : "MIME-Version: 1.0\r\n" + type)
                + (named || encoding == TransferEncoding.SEVEN_BIT
                        ? ""
                        : "Content-Transfer-Encoding: " + encoding.word + "\r\n");
        if (!missing.isEmpty()) {
            copy(header.end());
            write(missing);
        }
    }

    /** Copies everything up to this offset that is in no section yet. */
    private void copy(long to) {
        if (to > done) {
            pieces.add(new ComposedMessage.Section(new ContentSlice(message, done, to), false));
            done = to;
        }
    }

    private void write(String ascii) {
        pieces.add(new ComposedMessage.Section(AttachmentContent.of(ascii.getBytes(StandardCharsets.US_ASCII)), false));
    }

    private static long quotedLength(AttachmentContent body) throws IOException {
        try (InputStream in = new QuotedPrintableStream(body.open())) {
            return in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** RFC 1428 §3: a body without a charset is UTF-8 when it is valid, and else is labelled as unknown. */
    private static String charset(AttachmentContent body) throws IOException {
        try (Reader text = new InputStreamReader(body.open(), StandardCharsets.UTF_8.newDecoder())) {
            text.transferTo(Writer.nullWriter());
            return "utf-8";
        } catch (CharacterCodingException malformed) {
            return "unknown-8bit";
        }
    }

    /** A body in quoted-printable, with its encoded length. */
    private record QuotedPrintableBody(AttachmentContent body, long length) implements AttachmentContent {
        @Override
        public InputStream open() throws IOException {
            return new QuotedPrintableStream(body.open());
        }
    }

    private record Sections(List<ComposedMessage.Section> pieces) implements AttachmentContent {
        Sections {
            pieces = List.copyOf(pieces);
        }

        @Override
        public long length() {
            return pieces.stream().mapToLong(ComposedMessage.Section::length).sum();
        }

        @Override
        public InputStream open() {
            return new ComposedStream(pieces);
        }
    }
}
