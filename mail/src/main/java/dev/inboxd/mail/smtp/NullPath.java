package dev.inboxd.mail.smtp;

/** The null reverse-path {@code <>} of notifications, RFC 5321 §4.5.5. */
public enum NullPath implements ReversePath {
    /** The only value. */
    NULL;

    @Override
    public String address() {
        return "";
    }

    @Override
    public String toString() {
        return "<>";
    }
}
