package dev.inboxd.mail.message;

import java.util.Locale;

/**
 * Defects of a message. After a limit, only part of it was parsed; with an ambiguity, other programs may read it
 * differently.
 */
public enum Defect {
    TOO_MANY_HEADERS(Kind.LIMIT),
    HEADER_TOO_LARGE(Kind.LIMIT),
    TOO_MANY_PARTS(Kind.LIMIT),
    NESTED_TOO_DEEP(Kind.LIMIT),
    TEXT_TRUNCATED(Kind.LIMIT),
    TOO_MANY_ENCODED_WORDS(Kind.LIMIT),
    TOO_MANY_ADDRESSES(Kind.LIMIT),
    PARAMETER_TOO_LONG(Kind.LIMIT),
    /** A second field of a kind that RFC 5322 §3.6 allows once; the first counts. */
    DUPLICATE_FIELD(Kind.AMBIGUITY),
    /** A second Content-* field in one header; the first counts. */
    DUPLICATE_CONTENT_FIELD(Kind.AMBIGUITY),
    DUPLICATE_PARAMETER(Kind.AMBIGUITY),
    /** A multipart inside another with the same boundary. */
    DUPLICATE_BOUNDARY(Kind.AMBIGUITY),
    /** A multipart without a boundary, or whose boundary never appears. */
    MISSING_BOUNDARY(Kind.AMBIGUITY),
    UNCLOSED_MULTIPART(Kind.AMBIGUITY),
    /**
     * RFC 2045 §6.4 forbids base64 and quoted-printable on a multipart; the multipart is read as if it were not
     * encoded.
     */
    ENCODED_MULTIPART(Kind.AMBIGUITY),
    UNKNOWN_ENCODING(Kind.AMBIGUITY),
    DAMAGED_ENCODING(Kind.AMBIGUITY),
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
