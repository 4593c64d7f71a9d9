package dev.inboxd.mail.compose;

/** A value cannot stand in a message. {@link #field} is its path, such as {@code to[1].name} or {@code subject}. */
public final class MalformedFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String reason;

    /** The value at {@code field} is refused because of {@code reason}, which completes the sentence "subject …". */
    public MalformedFieldException(String field, String reason) {
        super(field + " " + reason);
        this.field = field;
        this.reason = reason;
    }

    /** The path of the refused value. */
    public String field() {
        return field;
    }

    /** Why it is refused, without the value itself. */
    public String reason() {
        return reason;
    }
}
