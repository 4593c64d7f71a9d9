package dev.inboxd.mail.address;

/** An address that RFC 5321 §4.1.2 or RFC 5322 §3.4 does not allow; the message gives the reason for a user. */
public final class AddressSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int LONGEST_QUOTE = 100;

    AddressSyntaxException(String message) {
        super(message);
    }

    /** The fault in a text, which the message quotes. */
    static AddressSyntaxException in(String text, AddressSyntaxException fault) {
        return in(text, String.valueOf(fault.getMessage()));
    }

    /** A fault in a text, which the message quotes. */
    static AddressSyntaxException in(String text, String fault) {
        int end = text.length() > LONGEST_QUOTE ? text.offsetByCodePoints(0, LONGEST_QUOTE / 2) : text.length();
        String quote = end < text.length() ? text.substring(0, end) + "…" : text;
        return new AddressSyntaxException("Not an address: " + quote + ". " + fault);
    }
}
