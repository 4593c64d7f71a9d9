package dev.inboxd.mail.compose;

/** A value is not possible in a message. {@link #field} is its path, such as {@code to[1].name} or {@code subject}. */
public final class MalformedFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String reason;

    /**
     * @param field the path of the refused value
     * @param reason completes the sentence "subject …"
     */
    public MalformedFieldException(String field, String reason) {
        super(field + " " + reason);
        this.field = field;
        this.reason = reason;
    }

    /** The path of the refused value. */
    public String field() {
        return field;
    }

    /** The reason, without the value itself. */
    public String reason() {
        return reason;
    }
}
