package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.Reply;

/**
 * What the dialogue says of itself; {@link Reply} has what an {@link Intake} says too. None repeats anything a client
 * sent.
 */
public final class Replies {
    static final Reply BYE = Reply.of(221, "2.0.0", "Bye");
    static final Reply START_DATA = Reply.of(354, "End data with <CR><LF>.<CR><LF>");
    static final Reply START_TLS = Reply.of(220, "2.0.0", "Ready to start TLS");
    static final Reply NOT_VERIFIED = Reply.of(252, "2.0.0", "Cannot verify, send some mail and see");
    static final Reply HELP =
            Reply.of(214, "2.0.0", "EHLO HELO MAIL RCPT DATA BDAT RSET NOOP QUIT VRFY HELP STARTTLS; see RFC 5321");
    static final Reply HELLO_FIRST = Reply.of(503, "5.5.1", "Send EHLO first");
    static final Reply NESTED_MAIL = Reply.of(503, "5.5.1", "Sender already given");
    static final Reply NO_RECIPIENTS = Reply.of(554, "5.5.1", "No valid recipients");
    static final Reply TOO_MANY_RECIPIENTS = Reply.of(452, "4.5.3", "Too many recipients, send again for the rest");
    // RFC 6531 §3.5: 553 when RCPT would have needed an ASCII address
    static final Reply RECIPIENT_NEEDS_UTF8 = Reply.of(553, "5.6.7", "Non-ASCII recipient address without SMTPUTF8");
    static final Reply TLS_ALREADY = Reply.of(503, "5.5.1", "TLS is already active");
    static final Reply NO_TLS = Reply.of(502, "5.5.1", "STARTTLS is not offered here");
    static final Reply INJECTION =
            Reply.of(554, "5.5.1", "Commands after STARTTLS before the handshake, closing connection");
    static final Reply TOO_MANY_ERRORS = Reply.of(421, "4.7.0", "Too many errors, closing connection");
    static final Reply TOO_MANY_COMMANDS = Reply.of(421, "4.7.0", "Too many commands without mail, closing connection");
    static final Reply TIMEOUT = Reply.of(421, "4.4.2", "Idle for too long, closing connection");
    static final Reply SHUTTING_DOWN = Reply.of(421, "4.3.2", "Shutting down, try again in a moment");
    static final Reply FAILED = Reply.of(421, "4.3.0", "Temporary failure, closing connection");
    /** RFC 3463 §3.4: the system, not the mailbox, has no room. */
    public static final Reply CROWDED = Reply.of(451, "4.3.1", "Too much mail is under way, try again later");

    static final Reply MAIL_LOOP = Reply.of(554, "5.4.6", "Too many Received fields, this is a mail loop");
    static final Reply TOO_MANY_SESSIONS = Reply.of(421, "4.3.2", "Too many connections, try again later");
    static final Reply TOO_MANY_FROM_YOU = Reply.of(421, "4.7.0", "Too many connections from your address");
    static final Reply BARE_CR = Reply.of(521, "5.5.2", "Bare CR, lines end with CR LF (RFC 5321 2.3.8), closing");
    static final Reply BARE_LF = Reply.of(521, "5.5.2", "Bare LF, lines end with CR LF (RFC 5321 2.3.8), closing");
    static final Reply TOO_SLOW = Reply.of(421, "4.4.2", "Too slow, closing connection");

    // RFC 3030 §2: the chunk is unambiguous, so the session may go on
    static final Reply CHUNK_BARE_CR = Reply.of(554, "5.6.0", "Bare CR in the message, lines end with CR LF");
    static final Reply CHUNK_BARE_LF = Reply.of(554, "5.6.0", "Bare LF in the message, lines end with CR LF");
    static final Reply CHUNK_UNREADABLE = Reply.of(501, "5.5.4", "Syntax: BDAT size [LAST], closing connection");
    static final Reply DATA_AFTER_CHUNK = Reply.of(503, "5.5.1", "Go on with BDAT, or RSET");
    static final Reply PARAMETER_UNKNOWN = Reply.of(555, "5.5.4", "Parameter not recognized or not implemented");
    static final Reply NOT_IMPLEMENTED = Reply.of(502, "5.5.1", "Command not implemented");
    static final Reply XCLIENT_DENIED = Reply.of(550, "5.7.0", "You are not trusted with XCLIENT");
    static final Reply XCLIENT_ADDRESS = Reply.of(501, "5.5.4", "Bad address in XCLIENT");
    // RFC 3207 §4
    static final Reply TLS_FIRST = Reply.of(530, "5.7.0", "Must issue a STARTTLS command first");
    static final Reply AUTH_WITHOUT_TLS = Reply.of(538, "5.7.11", "Must issue a STARTTLS command first");
    // RFC 4954 §4 and §6
    static final Reply AUTH_FIRST = Reply.of(530, "5.7.0", "Authentication required");
    static final Reply AUTH_ALREADY = Reply.of(503, "5.5.1", "You are logged in, or in the middle of a message");
    static final Reply AUTH_DONE = Reply.of(235, "2.7.0", "Authentication successful");
    static final Reply LOGIN_ENDED = Reply.of(421, "4.7.0", "The key you logged in with has ended, closing connection");
    static final Reply AUTH_MECHANISM = Reply.of(504, "5.5.4", "Mechanism not offered, use PLAIN or LOGIN");
    static final Reply AUTH_UNREADABLE = Reply.of(501, "5.5.2", "That is not what the mechanism asks for");
    static final Reply AUTH_CANCELLED = Reply.of(501, "5.7.0", "Authentication cancelled");
    static final Reply AUTH_TOO_LONG = Reply.of(500, "5.5.6", "Authentication exchange line is too long");
    static final Reply TOO_MANY_LOGINS = Reply.of(421, "4.7.0", "Too many failed logins, closing connection");
    static final Reply SESSION_TOO_LONG = Reply.of(421, "4.3.2", "The session has lasted long enough, connect again");

    private Replies() {}
}
