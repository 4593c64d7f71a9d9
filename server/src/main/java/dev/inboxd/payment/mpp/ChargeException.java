package dev.inboxd.payment.mpp;

/**
 * A credential that is refused. The message is for the caller, as {@code detail}, and has nothing of what was sent.
 */
public final class ChargeException extends Exception {
    private static final long serialVersionUID = 1;

    private final ProblemType type;

    ChargeException(ProblemType type, String message) {
        super(message, null, false, false);
        this.type = type;
    }

    /** What is wrong with it. */
    public ProblemType type() {
        return type;
    }

    /** The sentence for the caller. */
    public String message() {
        String message = getMessage();
        return message == null ? type.uri() : message;
    }
}
