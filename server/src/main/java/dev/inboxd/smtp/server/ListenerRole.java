package dev.inboxd.smtp.server;

/** Which clients a listener accepts mail from. */
public sealed interface ListenerRole {
    /**
     * MX: other mail servers (RFC 5321). Any client may send to recipients of this server.
     *
     * @param handler decides about recipients and stores messages
     */
    record Mx(MailHandler handler) implements ListenerRole {}

    /**
     * Submission: users (RFC 6409). A client that authenticated over TLS may send to any recipient.
     *
     * @param authenticator checks credentials
     */
    record Submission(SaslAuthenticator authenticator) implements ListenerRole {}
}
