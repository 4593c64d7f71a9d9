package dev.inboxd.mail.recurrence;

/** A recurrence rule that is malformed or not supported; the message says why, in the user's words. */
public final class RuleSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message cause and remedy */
    public RuleSyntaxException(String message) {
        super(message);
    }
}
