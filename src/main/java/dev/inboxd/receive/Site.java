package dev.inboxd.receive;

import dev.inboxd.tls.ServerTls;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of a server share.
 *
 * @param config the settings
 * @param intake decides and stores
 * @param tls for STARTTLS; null when it is not offered
 * @param clock tells the date of trace fields
 * @param spools holds messages while they come in
 */
record Site(SmtpServer.Config config, Intake intake, @Nullable ServerTls tls, InstantSource clock, Spools spools) {}
