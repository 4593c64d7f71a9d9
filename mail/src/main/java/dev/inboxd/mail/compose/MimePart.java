package dev.inboxd.mail.compose;

import java.util.List;

/** A node of the MIME tree (RFC 2045 §2.5). */
sealed interface MimePart {
    /**
     * A part with content.
     *
     * @param fields its Content- fields, without the encoding
     * @param encoding its transfer encoding
     * @param content the octets: unencoded for base64, already encoded for the other encodings
     */
    record Leaf(List<ParameterField> fields, TransferEncoding encoding, AttachmentContent content)
            implements MimePart {}

    /**
     * A multipart (RFC 2046 §5.1); the writer chooses its boundary.
     *
     * @param subtype {@code mixed}, {@code alternative}, {@code related} or {@code report}
     * @param children at least one
     */
    record Multipart(String subtype, List<MimePart> children) implements MimePart {}
}
