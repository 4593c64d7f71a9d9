package dev.inboxd.mail.message;

import java.util.Locale;

/**
 * Defects of a message. After a limit, only part of it was parsed; with an ambiguity, other programs may read it
 * differently.
 */
public enum Defect {
    /** A header of more than 1,000 fields; the first ones are read, and of the others those that a reader needs. */
    TOO_MANY_HEADERS(Kind.LIMIT),
    /** A header of more than 100 KiB; its beginning is read, and in the first MiB the fields that a reader needs. */
    HEADER_TOO_LARGE(Kind.LIMIT),
    /** More than 1,000 parts. */
    TOO_MANY_PARTS(Kind.LIMIT),
    /** More than 100 levels of multiparts. */
    NESTED_TOO_DEEP(Kind.LIMIT),
    /** A text of more than 1 MiB. */
    TEXT_TRUNCATED(Kind.LIMIT),
    /** More than 500 encoded words (RFC 2047) in one field; the others stay encoded. */
    TOO_MANY_ENCODED_WORDS(Kind.LIMIT),
    /** More than 1,000 addresses in one field. */
    TOO_MANY_ADDRESSES(Kind.LIMIT),
    /** A parameter of a field (RFC 2045 §5.1) of more than 2,048 characters. */
    PARAMETER_TOO_LONG(Kind.LIMIT),
    /** A second field of a kind that RFC 5322 §3.6 allows once; the first counts. */
    DUPLICATE_FIELD(Kind.AMBIGUITY),
    /** A second Content-* field in one header; the first counts. */
    DUPLICATE_CONTENT_FIELD(Kind.AMBIGUITY),
    /** A second parameter of one name in a field; the first counts. */
    DUPLICATE_PARAMETER(Kind.AMBIGUITY),
    /** A multipart inside another with the same boundary. */
    DUPLICATE_BOUNDARY(Kind.AMBIGUITY),
    /** A multipart without a boundary, or whose boundary never appears. */
    MISSING_BOUNDARY(Kind.AMBIGUITY),
    /** A multipart without its closing delimiter (RFC 2046 §5.1.1). */
    UNCLOSED_MULTIPART(Kind.AMBIGUITY),
    /**
     * RFC 2045 §6.4 forbids base64 and quoted-printable on a multipart; the multipart is read as if it were not
     * encoded.
     */
    ENCODED_MULTIPART(Kind.AMBIGUITY),
    /** A Content-Transfer-Encoding (RFC 2045 §6.1) of another name. */
    UNKNOWN_ENCODING(Kind.AMBIGUITY),
    /** Base64 or quoted-printable with characters that it does not have. */
    DAMAGED_ENCODING(Kind.AMBIGUITY),
    /** A charset of another name than those that Java and ICU know. */
    UNKNOWN_CHARSET(Kind.AMBIGUITY),
    /** A header line that is not a field; the body starts there. */
    MALFORMED_HEADER(Kind.AMBIGUITY);

    private enum Kind {
        LIMIT,
        AMBIGUITY
    }

    private final Kind kind;
    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    Defect(Kind kind) {
        this.kind = kind;
    }

    /** Whether a limit was reached, so that part of the message is not shown. */
    public boolean isPartial() {
        return kind == Kind.LIMIT;
    }

    /** The fixed identifier, such as {@code too-many-parts}. */
    @Override
    public String toString() {
        return word;
    }
}
