package dev.inboxd.smtp.server;

/** Who may bring mail to a server. */
public sealed interface ListenerRole {
    /**
     * Other servers, RFC 5321: anybody, for recipients here.
     *
     * @param intake decides and stores
     */
    record Mx(MailHandler intake) implements ListenerRole {}

    /**
     * Users, RFC 6409: who logs in over TLS, for recipients anywhere.
     *
     * @param logins knows who may
     */
    record Submission(SaslAuthenticator logins) implements ListenerRole {}
}
