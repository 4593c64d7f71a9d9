package dev.inboxd.smtp.server;

import dev.inboxd.platform.tls.ServerTls;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of a server share.
 *
 * @param config the settings
 * @param role who may bring mail
 * @param tls for STARTTLS; null when it is not offered
 * @param clocks tell the date of trace fields, and how slow a client is
 * @param spools holds messages while they come in
 * @param sessions counts them
 */
record ServerContext(
        SmtpServer.Config config,
        ListenerRole role,
        @Nullable ServerTls tls,
        Clocks clocks,
        Spools spools,
        SessionRegistry sessions) {
    /** Whether users submit here, and not other servers. */
    boolean isSubmission() {
        return role instanceof ListenerRole.Submission;
    }
}
