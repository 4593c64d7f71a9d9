package dev.inboxd.mail.compose;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.MediaTypeCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A composed message: CRLF line ends only, no line over 998 octets, the same bytes each time it is written. */
public final class ComposedMessage {
    private final List<Section> pieces;
    private final boolean needsSmtpUtf8;
    private final @Nullable BodyTree tree;

    /** Content to copy, or to encode in base64 while copying. */
    record Section(AttachmentContent content, boolean base64) {
        long length() {
            return base64 ? TransferEncoding.base64Length(content.length()) : content.length();
        }

        /**
         * Opens the section in the form of the message. Reading fails when the content has another length than
         * announced.
         */
        InputStream open() throws IOException {
            var exact = new ExactLengthStream(content.open(), content.length());
            return base64 ? new Base64Stream(exact) : exact;
        }
    }

    ComposedMessage(List<Section> pieces, boolean needsSmtpUtf8) {
        this(pieces, needsSmtpUtf8, null);
    }

    ComposedMessage(List<Section> pieces, boolean needsSmtpUtf8, @Nullable BodyTree tree) {
        this.pieces = List.copyOf(pieces);
        this.needsSmtpUtf8 = needsSmtpUtf8;
        this.tree = tree;
    }

    /**
     * The files of a composition, as a reader of the message finds them; none when the message was not composed of one.
     *
     * @param check called once for each, as for a received message
     */
    public List<AttachmentPart> attachments(MediaTypeCheck check) {
        return tree == null ? List.of() : tree.attachments(check);
    }

    /** Whether a header field contains a non-ASCII local part, so that the message needs SMTPUTF8 (RFC 6531 §3.2). */
    public boolean needsSmtpUtf8() {
        return needsSmtpUtf8;
    }

    /** The exact number of octets, known without reading attachments. */
    public long length() {
        return pieces.stream().mapToLong(Section::length).sum();
    }

    /**
     * Writes the whole message and leaves the stream open; attachments stream through.
     *
     * @throws IOException when the stream fails, or an attachment cannot be read or has another length than announced
     */
    public void writeTo(OutputStream out) throws IOException {
        for (var piece : pieces) {
            try (var in = piece.open()) {
                in.transferTo(out);
            }
        }
    }

    /** Opens the whole message; attachments are read while it is read. May be called again. */
    public InputStream open() {
        return new ComposedStream(pieces);
    }

    /**
     * The whole message in memory; for small ones.
     *
     * @throws UncheckedIOException when an attachment cannot be read or has another length than announced
     * @throws ArithmeticException when the message is over 2 GiB
     */
    public byte[] bytes() {
        var out = new ByteArrayOutputStream(Math.toIntExact(length()));
        try {
            writeTo(out);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return out.toByteArray();
    }
}
