package dev.inboxd.mail.address;

/** An address that RFC 5321 §4.1.2 or RFC 5322 §3.4 does not allow; the message gives the reason for a user. */
public final class AddressSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AddressSyntaxException(String message) {
        super(message);
    }
}
