package dev.inboxd.mail.smtp;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One command of a client, RFC 5321 §4.1.1, parsed and checked as far as possible without the state of the session. */
public sealed interface SmtpCommand {
    /** The longest command line, in octets with its CRLF. RFC 5321 §4.5.3.1.4 requires 512, and more for extensions. */
    int MAX_LINE = 2_048;

    /** The same for AUTH and for the answers to its challenges, RFC 4954 §4. */
    int MAX_AUTH_LINE = 12_288;

    /**
     * Parses a command line.
     *
     * @param buffer contains the line
     * @param from its first octet
     * @param to the index after its last octet, CRLF excluded
     * @return the command, or {@link Invalid} with the reply that refuses it; never throws on any input
     */
    static SmtpCommand parse(byte[] buffer, int from, int to) {
        return CommandReader.read(buffer, from, to);
    }

    /**
     * EHLO.
     *
     * @param domain the client's name: printable ASCII without spaces, unusual characters replaced by {@code ?}
     */
    record Ehlo(String domain) implements SmtpCommand {}

    /**
     * HELO.
     *
     * @param domain as in {@link Ehlo}
     */
    record Helo(String domain) implements SmtpCommand {}

    /**
     * MAIL FROM.
     *
     * @param reversePath the sender
     * @param size the declared size in octets (RFC 1870 §6.1), -1 when none is declared, {@link Long#MAX_VALUE} when
     *     larger
     * @param smtpUtf8 whether the SMTPUTF8 parameter is present (RFC 6531 §3.4)
     * @param auth whether the AUTH parameter is present, which only a server that offers AUTH knows (RFC 4954 §5); it
     *     changes nothing
     * @param dsn DSN parameters (RFC 3461)
     */
    record Mail(ReversePath reversePath, long size, boolean smtpUtf8, boolean auth, MailDsn dsn)
            implements SmtpCommand {}

    /**
     * RCPT TO.
     *
     * @param forwardPath the recipient
     * @param dsn DSN parameters (RFC 3461)
     */
    record Rcpt(SmtpPath forwardPath, RecipientDsn dsn) implements SmtpCommand {
        /** Whether the command needs no SMTPUTF8 (RFC 6531 §3.4). */
        public boolean isAscii() {
            return forwardPath.isAscii() && dsn.isAscii();
        }
    }

    /**
     * BDAT, RFC 3030 §2: the next octets of the message follow.
     *
     * @param size their number, {@link Long#MAX_VALUE} for any larger one; -1 when the command is malformed, after
     *     which data and commands cannot be told apart
     * @param last whether the message ends with them
     */
    record Bdat(long size, boolean last) implements SmtpCommand {}

    /**
     * AUTH, RFC 4954 §4.
     *
     * @param mechanism in upper case
     * @param initial the initial response in base64, {@code =} for an empty one; null for none
     */
    record Auth(String mechanism, @Nullable String initial) implements SmtpCommand {}

    /**
     * XCLIENT: a relay states who its client is.
     *
     * @param attributes by name in upper case, decoded; without those stated as unknown
     */
    record Xclient(Map<String, String> attributes) implements SmtpCommand {
        /** Copies the attributes. */
        public Xclient {
            attributes = Map.copyOf(attributes);
        }
    }

    /** The commands without an argument, or with an argument that changes nothing. */
    enum Simple implements SmtpCommand {
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
     * A line that is refused.
     *
     * @param reply the refusal
     */
    record Invalid(SmtpReply reply) implements SmtpCommand {}
}
