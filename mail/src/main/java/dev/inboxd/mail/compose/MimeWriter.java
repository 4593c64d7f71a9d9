package dev.inboxd.mail.compose;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes the MIME tree as sections: text is gathered in memory, attachments stay in their content. */
final class MimeWriter {
    private final List<ComposedMessage.Section> pieces = new ArrayList<>();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final String boundaryPrefix;
    private int boundaries;

    /** @param boundaryPrefix prefix of every boundary */
    MimeWriter(String boundaryPrefix) {
        this.boundaryPrefix = boundaryPrefix;
    }

    /** The sections of the header and the tree below it. */
    List<ComposedMessage.Section> message(byte[] header, MimePart root) {
        text.writeBytes(header);
        part(root);
        if (!(root instanceof MimePart.Leaf leaf) || leaf.encoding() == TransferEncoding.BASE64) {
            write("\r\n"); // RFC 5321 §4.1.1.4: the data ends with a line end; a text without parts ends with its own
        }
        flush();
        return pieces;
    }

    private void part(MimePart part) {
        switch (part) {
            case MimePart.Leaf leaf -> leaf(leaf);
            case MimePart.Multipart multipart -> multipart(multipart);
        }
    }

    private void leaf(MimePart.Leaf leaf) {
        leaf.fields().forEach(field -> write(field.field().toString()));
        write(new FoldedField("Content-Transfer-Encoding")
                .add(leaf.encoding().word)
                .toString());
        write("\r\n");
        flush();
        pieces.add(new ComposedMessage.Section(leaf.content(), leaf.encoding() == TransferEncoding.BASE64));
    }

    private void multipart(MimePart.Multipart multipart) {
        var boundary = boundaryPrefix + boundaries++;
        var type = new ParameterField("Content-Type", "multipart/" + multipart.subtype()).with("boundary", boundary);
        if (multipart.subtype().equals("related")) {
            type.with("type", "text/html"); // RFC 2387 §3.1: the type of the root part
        }
        if (multipart.subtype().equals("report")) {
            type.with("report-type", "delivery-status"); // RFC 6522 §3, RFC 3464 §2
        }
        write(type.field() + "\r\n");
        for (var child : multipart.children()) {
            write("--" + boundary + "\r\n");
            part(child);
            write("\r\n");
        }
        write("--" + boundary + "--");
    }

    private void write(String ascii) {
        text.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private void flush() {
        if (text.size() > 0) {
            pieces.add(new ComposedMessage.Section(AttachmentContent.of(text.toByteArray()), false));
            text.reset();
        }
    }
}
