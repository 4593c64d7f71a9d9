package dev.inboxd.platform.http;

/**
 * How large a request's body may be.
 *
 * @param bytes at most so many
 * @param bare whether the refusal is {@code {"message":"Request Entity Too Large"}} alone (mail.md §2)
 */
public record BodyLimit(int bytes, boolean bare) {
    /** What a route takes that says nothing else: 1 MiB. */
    public static final BodyLimit USUAL = new BodyLimit(1 << 20, false);

    /** A route whose body carries attachments: 6 MiB. */
    public static final BodyLimit ATTACHMENTS = new BodyLimit(6 << 20, true);
}
