package dev.inboxd.smtp.server;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.smtp.SmtpReply;

/**
 * The replies of the dialogue itself; {@link SmtpReply} has those that a {@link MailHandler} uses too. No reply repeats
 * text of the client.
 */
public final class SmtpReplies {
    static final SmtpReply BYE = SmtpReply.of(221, "2.0.0", "Bye");
    static final SmtpReply START_DATA = SmtpReply.of(354, "End data with <CR><LF>.<CR><LF>");
    static final SmtpReply START_TLS = SmtpReply.of(220, "2.0.0", "Ready to start TLS");
    static final SmtpReply NOT_VERIFIED =
            SmtpReply.of(252, "2.0.0", "Cannot verify the user, but mail for it may be accepted");
    static final SmtpReply HELP =
            SmtpReply.of(214, "2.0.0", "EHLO HELO MAIL RCPT DATA BDAT RSET NOOP QUIT VRFY HELP STARTTLS; see RFC 5321");
    static final SmtpReply HELLO_FIRST = SmtpReply.of(503, "5.5.1", "Send EHLO first");
    static final SmtpReply NESTED_MAIL = SmtpReply.of(503, "5.5.1", "Sender already given");
    static final SmtpReply NO_RECIPIENTS = SmtpReply.of(554, "5.5.1", "No valid recipients");
    static final SmtpReply TOO_MANY_RECIPIENTS =
            SmtpReply.of(452, "4.5.3", "Too many recipients, send again for the rest");
    // RFC 6531 §3.5: 553 when RCPT would have needed an ASCII address
    static final SmtpReply RECIPIENT_NEEDS_UTF8 =
            SmtpReply.of(553, "5.6.7", "Non-ASCII recipient address without SMTPUTF8");
    static final SmtpReply TLS_ALREADY = SmtpReply.of(503, "5.5.1", "TLS is already active");
    static final SmtpReply NO_TLS = SmtpReply.of(502, "5.5.1", "STARTTLS is not offered here");
    static final SmtpReply INJECTION =
            SmtpReply.of(554, "5.5.1", "Data after STARTTLS before the TLS handshake, closing connection");
    static final SmtpReply TOO_MANY_ERRORS = SmtpReply.of(421, "4.7.0", "Too many errors, closing connection");
    static final SmtpReply TOO_MANY_COMMANDS =
            SmtpReply.of(421, "4.7.0", "Too many commands without mail, closing connection");
    static final SmtpReply TIMEOUT = SmtpReply.of(421, "4.4.2", "Idle for too long, closing connection");
    static final SmtpReply SHUTTING_DOWN = SmtpReply.of(421, "4.3.2", "Shutting down, try again in a moment");
    static final SmtpReply FAILED = SmtpReply.of(421, "4.3.0", "Temporary failure, closing connection");
    /** RFC 3463 §3.4: the system, not the mailbox, has no room. */
    public static final SmtpReply CROWDED =
            SmtpReply.of(451, "4.3.1", "Too many messages are being processed, try again later");

    static final SmtpReply MAIL_LOOP = SmtpReply.of(554, "5.4.6", "Too many Received fields, this is a mail loop");
    static final SmtpReply TOO_MANY_SESSIONS = SmtpReply.of(421, "4.3.2", "Too many connections, try again later");
    static final SmtpReply TOO_MANY_FROM_YOU = SmtpReply.of(421, "4.7.0", "Too many connections from your address");
    static final SmtpReply BARE_CR =
            SmtpReply.of(521, "5.5.2", "Bare CR, lines end with CR LF (RFC 5321 2.3.8), closing");
    static final SmtpReply BARE_LF =
            SmtpReply.of(521, "5.5.2", "Bare LF, lines end with CR LF (RFC 5321 2.3.8), closing");
    static final SmtpReply HTTP = SmtpReply.of(521, "5.5.2", "This port speaks SMTP, not HTTP, closing connection");
    static final SmtpReply TOO_SLOW = SmtpReply.of(421, "4.4.2", "Too slow, closing connection");

    // RFC 3030 §2: the chunk is unambiguous, so the session may go on
    static final SmtpReply CHUNK_BARE_CR = SmtpReply.of(554, "5.6.0", "Bare CR in the message, lines end with CR LF");
    static final SmtpReply CHUNK_BARE_LF = SmtpReply.of(554, "5.6.0", "Bare LF in the message, lines end with CR LF");
    static final SmtpReply CHUNK_UNREADABLE =
            SmtpReply.of(501, "5.5.4", "Syntax: BDAT size [LAST], closing connection");
    static final SmtpReply DATA_AFTER_CHUNK =
            SmtpReply.of(503, "5.5.1", "DATA cannot follow BDAT, continue with BDAT or send RSET");
    static final SmtpReply PARAMETER_UNKNOWN =
            SmtpReply.of(555, "5.5.4", "Parameter not recognized or not implemented");
    static final SmtpReply NOT_IMPLEMENTED = SmtpReply.of(502, "5.5.1", "Command not implemented");
    static final SmtpReply XCLIENT_DENIED = SmtpReply.of(550, "5.7.0", "XCLIENT is not permitted from your address");
    static final SmtpReply XCLIENT_ADDRESS = SmtpReply.of(501, "5.5.4", "Bad address in XCLIENT");
    // RFC 3207 §4
    static final SmtpReply TLS_FIRST = SmtpReply.of(530, "5.7.0", "Must issue a STARTTLS command first");
    static final SmtpReply AUTH_WITHOUT_TLS = SmtpReply.of(538, "5.7.11", "Must issue a STARTTLS command first");
    // RFC 4954 §4 and §6
    static final SmtpReply AUTH_FIRST = SmtpReply.of(530, "5.7.0", "Authentication required");
    static final SmtpReply AUTH_ALREADY =
            SmtpReply.of(503, "5.5.1", "Already authenticated, or a mail transaction is open");
    static final SmtpReply AUTH_DONE = SmtpReply.of(235, "2.7.0", "Authentication successful");
    static final SmtpReply LOGIN_ENDED =
            SmtpReply.of(421, "4.7.0", "The API key of this session was revoked or has expired, closing connection");
    static final SmtpReply AUTH_MECHANISM = SmtpReply.of(504, "5.5.4", "Mechanism not offered, use PLAIN or LOGIN");
    static final SmtpReply AUTH_UNREADABLE = SmtpReply.of(501, "5.5.2", "Malformed response for this mechanism");
    static final SmtpReply AUTH_CANCELLED = SmtpReply.of(501, "5.7.0", "Authentication cancelled");
    static final SmtpReply AUTH_TOO_LONG = SmtpReply.of(500, "5.5.6", "Authentication exchange line is too long");
    static final SmtpReply TOO_MANY_LOGINS = SmtpReply.of(421, "4.7.0", "Too many failed logins, closing connection");
    static final SmtpReply SESSION_TOO_LONG = SmtpReply.of(421, "4.3.2", "Session time limit reached, connect again");

    private SmtpReplies() {}

    /** The reply to a message that cannot be kept for now. */
    static SmtpReply later(Problem why) {
        return why.code() == ErrorCode.MOVED ? SmtpReply.MOVED_AWAY : SmtpReply.TRY_LATER;
    }
}
