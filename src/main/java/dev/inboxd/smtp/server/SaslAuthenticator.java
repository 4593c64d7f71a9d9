package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;
import java.net.InetAddress;
import java.util.Collection;

/** Who may submit mail. Called on the sessions' threads, many at once. */
public interface SaslAuthenticator {
    /**
     * Checks what a client showed over an encrypted session.
     *
     * @param user whom it wants to be
     * @param password its secret; never logged
     * @param client where it connects from
     */
    LoginResult enter(String user, String password, InetAddress client);

    /**
     * Which of those that logged in have lost their credentials since; their sessions are closed between messages.
     *
     * @param granted intakes that {@link #enter} gave, of open sessions
     */
    Collection<MailHandler> ended(Collection<MailHandler> granted);

    /** What becomes of a login. */
    sealed interface LoginResult {
        /**
         * The client may submit.
         *
         * @param handler takes its mail, in this session alone
         */
        record Success(MailHandler handler) implements LoginResult {}

        /**
         * It may not.
         *
         * @param reply why: 5yz for wrong credentials, 4yz when they cannot be checked now
         */
        record Failure(SmtpReply reply) implements LoginResult {}
    }
}
