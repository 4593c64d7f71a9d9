package dev.inboxd.payment.authorization;

/**
 * A payment that cannot be read. The message completes a sentence that begins with the name of the header, and has
 * nothing of what was sent: it may reach the caller (payments.md §6.2).
 */
public final class PaymentFormException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message such as "must be one base64 text" */
    public PaymentFormException(String message) {
        super(message, null, false, false);
    }

    /** What would be correct. */
    public String message() {
        String message = getMessage();
        return message == null ? "cannot be read" : message;
    }
}
