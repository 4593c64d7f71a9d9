package dev.inboxd.mail.message;

import java.util.Locale;

/** What was wrong with a message. A limit: it was only partly parsed. An ambiguity: others may read it otherwise. */
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
    /** RFC 2045 §6.4 forbids base64 and quoted-printable on a multipart; it is read as if not encoded. */
    ENCODED_MULTIPART(Kind.AMBIGUITY),
    UNKNOWN_ENCODING(Kind.AMBIGUITY),
    DAMAGED_ENCODING(Kind.AMBIGUITY),
    UNKNOWN_CHARSET(Kind.AMBIGUITY),
    /** A line in a header that is no field; the body starts there. */
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

    /** True when something of the message is not shown because a limit was met. */
    public boolean isPartial() {
        return kind == Kind.LIMIT;
    }

    /** The fixed word, such as {@code too-many-parts}. */
    @Override
    public String toString() {
        return word;
    }
}
