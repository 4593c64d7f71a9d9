package dev.inboxd.mail.markdown;

/** Estimates how many tokens a model reads in a text, without a vocabulary (markdown.md §6). */
public final class TokenEstimate {
    private TokenEstimate() {}

    /** The estimate for a text, rounded up. */
    public static long of(CharSequence text) {
        return (text.length() + 3L) / 4;
    }
}
