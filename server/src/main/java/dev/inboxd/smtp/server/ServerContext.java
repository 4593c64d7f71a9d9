package dev.inboxd.smtp.server;

import dev.inboxd.base.tls.ServerTls;
import org.jspecify.annotations.Nullable;

/**
 * The objects that all sessions of a server share.
 *
 * @param config the configuration
 * @param role which clients the listener accepts mail from
 * @param tls for STARTTLS; null when STARTTLS is not offered
 * @param clocks date of trace fields, and measurement of a client's data rate
 * @param spools holds messages while they are received
 * @param sessions the open sessions
 * @param log the lines about mail
 */
record ServerContext(
        SmtpServer.Config config,
        ListenerRole role,
        @Nullable ServerTls tls,
        Clocks clocks,
        Spools spools,
        SessionRegistry sessions,
        MailLog log) {
    /** Whether this is a submission listener. */
    boolean isSubmission() {
        return role instanceof ListenerRole.Submission;
    }
}
