package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;
import java.net.InetAddress;
import java.util.Collection;

/** Checks the credentials of clients that submit mail. Called concurrently, on the threads of the sessions. */
public interface SaslAuthenticator {
    /**
     * Checks the credentials of a client, received over an encrypted connection.
     *
     * @param user the user name
     * @param password the secret; never logged
     * @param client the client's address
     * @return success with the handler of the session's mail, or the reply that refuses the login
     */
    LoginResult enter(String user, String password, InetAddress client);

    /**
     * Those of some handlers whose credentials were revoked or have expired since the login. Their sessions are closed
     * between messages.
     *
     * @param granted handlers of open sessions, each from {@link #enter}
     */
    Collection<MailHandler> ended(Collection<MailHandler> granted);

    /** The result of a login. */
    sealed interface LoginResult {
        /**
         * The client may submit mail.
         *
         * @param handler takes the mail of this session
         */
        record Success(MailHandler handler) implements LoginResult {}

        /**
         * The client may not submit mail.
         *
         * @param reply 5yz for wrong credentials, 4yz when they cannot be checked now
         */
        record Failure(SmtpReply reply) implements LoginResult {}
    }
}
