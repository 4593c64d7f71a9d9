package dev.inboxd.mail.compose;

import java.util.List;

/** A node of the MIME tree (RFC 2045 §2.5). */
sealed interface MimePart {
    /**
     * A part with content of its own.
     *
     * @param fields its Content- fields but for the encoding
     * @param encoding how the content travels
     * @param content the octets: still to be encoded for base64, as they travel for the other encodings
     */
    record Leaf(List<ParameterField> fields, TransferEncoding encoding, AttachmentContent content)
            implements MimePart {}

    /**
     * Parts under one heading (RFC 2046 §5.1); the boundary is chosen when writing.
     *
     * @param subtype {@code mixed}, {@code alternative}, {@code related} or {@code report}
     * @param children at least one
     */
    record Multipart(String subtype, List<MimePart> children) implements MimePart {}
}
