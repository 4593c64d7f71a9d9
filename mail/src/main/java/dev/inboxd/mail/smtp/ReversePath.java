package dev.inboxd.mail.smtp;

/** The address for failure reports: the argument of MAIL, RFC 5321 §4.1.1.2. */
public sealed interface ReversePath permits SmtpPath, NullPath {
    /** The mailbox as {@code local@domain}, the local part quoted when necessary; empty for the null reverse-path. */
    String address();

    /** Whether this is {@code <>}. */
    default boolean isNull() {
        return this == NullPath.NULL;
    }

    /** Whether the address needs no SMTPUTF8 (RFC 6531 §3.2). */
    default boolean isAscii() {
        return address().chars().allMatch(c -> c < 0x80);
    }
}
