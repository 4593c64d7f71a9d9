package dev.inboxd.mail.smtp;

/** One command of a client, RFC 5321 §4.1.1, read and checked as far as that needs no knowledge of the session. */
public sealed interface Command {
    /**
     * The longest command line taken, in octets with its CRLF. RFC 5321 §4.5.3.1.4 asks for 512 and more for
     * extensions.
     */
    int MAX_LINE = 2_048;

    /**
     * Reads a command line.
     *
     * @param buffer holds the line
     * @param from its first octet
     * @param to the index after its last octet, CRLF excluded
     * @return the command, or {@link Bad} with the reply that refuses it; never throws on any input
     */
    static Command parse(byte[] buffer, int from, int to) {
        return CommandReader.read(buffer, from, to);
    }

    /**
     * EHLO.
     *
     * @param domain what the client calls itself: printable ASCII without spaces, anything unusual replaced by {@code
     *     ?}
     */
    record Ehlo(String domain) implements Command {}

    /**
     * HELO.
     *
     * @param domain as in {@link Ehlo}
     */
    record Helo(String domain) implements Command {}

    /**
     * MAIL FROM.
     *
     * @param reversePath the sender
     * @param size the declared size in octets (RFC 1870 §6.1), -1 when none is declared, {@link Long#MAX_VALUE} when
     *     larger
     * @param smtpUtf8 whether the SMTPUTF8 parameter is present (RFC 6531 §3.4)
     */
    record Mail(ReversePath reversePath, long size, boolean smtpUtf8) implements Command {}

    /**
     * RCPT TO.
     *
     * @param forwardPath the recipient
     */
    record Rcpt(Path forwardPath) implements Command {}

    /** The commands without an argument, or whose argument changes nothing. */
    enum Simple implements Command {
        /** RFC 5321 §4.1.1.4. */
        DATA,
        /** RFC 5321 §4.1.1.5. */
        RSET,
        /** RFC 5321 §4.1.1.9. */
        NOOP,
        /** RFC 5321 §4.1.1.10. */
        QUIT,
        /** RFC 5321 §4.1.1.6. */
        VRFY,
        /** RFC 5321 §4.1.1.8. */
        HELP,
        /** RFC 3207 §4. */
        STARTTLS
    }

    /**
     * A line that cannot be obeyed.
     *
     * @param reply the refusal
     */
    record Bad(Reply reply) implements Command {}
}
