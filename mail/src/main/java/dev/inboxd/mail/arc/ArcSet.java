package dev.inboxd.mail.arc;

import dev.inboxd.mail.dkim.Canonicalization;
import dev.inboxd.mail.dkim.HeaderFields;
import dev.inboxd.mail.dkim.SignatureTags;

/** The three fields that one relay added, with its instance {@code i} (RFC 8617 §4.1). */
record ArcSet(int instance, HeaderFields.Field results, HeaderFields.Field message, HeaderFields.Field seal) {
    SignatureTags messageTags() {
        return SignatureTags.of(message, Canonicalization.RELAXED);
    }

    SignatureTags sealTags() {
        return SignatureTags.of(seal, Canonicalization.RELAXED);
    }

    /** The part of this set that a later seal covers (§5.1.1): always relaxed, each field with its CRLF. */
    void appendWhole(StringBuilder signed) {
        appendBeforeSeal(signed);
        signed.append(Canonicalization.RELAXED.header(seal.raw())).append("\r\n");
    }

    void appendBeforeSeal(StringBuilder signed) {
        signed.append(Canonicalization.RELAXED.header(results.raw()))
                .append("\r\n")
                .append(Canonicalization.RELAXED.header(message.raw()))
                .append("\r\n");
    }
}
