package dev.inboxd.receive;

import dev.inboxd.tls.ServerTls;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of a server share.
 *
 * @param config the settings
 * @param door who may bring mail
 * @param tls for STARTTLS; null when it is not offered
 * @param clock tells the date of trace fields
 * @param spools holds messages while they come in
 * @param sessions counts them
 */
record Site(SmtpServer.Config config, Door door, @Nullable ServerTls tls, InstantSource clock, Spools spools,
        Sessions sessions) {
    /** Whether users submit here, and not other servers. */
    boolean isSubmission() {
        return door instanceof Door.Locked;
    }
}
