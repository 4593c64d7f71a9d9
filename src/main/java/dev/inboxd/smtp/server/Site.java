package dev.inboxd.smtp.server;

import dev.inboxd.platform.tls.ServerTls;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of a server share.
 *
 * @param config the settings
 * @param door who may bring mail
 * @param tls for STARTTLS; null when it is not offered
 * @param clocks tell the date of trace fields, and how slow a client is
 * @param spools holds messages while they come in
 * @param sessions counts them
 */
record Site(
        SmtpServer.Config config, Door door, @Nullable ServerTls tls, Clocks clocks, Spools spools, Sessions sessions) {
    /** Whether users submit here, and not other servers. */
    boolean isSubmission() {
        return door instanceof Door.Locked;
    }
}
