package dev.inboxd.base.http;

/**
 * The largest body that a route accepts.
 *
 * @param bytes the limit
 * @param bare whether the refusal is {@code {"message":"Request Entity Too Large"}} alone (mail.md §2)
 */
public record BodyLimit(int bytes, boolean bare) {
    /** The limit of a route that names none: 1 MiB. */
    public static final BodyLimit USUAL = new BodyLimit(1 << 20, false);

    /** The limit of a route whose body carries attachments: 6 MiB. */
    public static final BodyLimit ATTACHMENTS = new BodyLimit(6 << 20, true);
}
