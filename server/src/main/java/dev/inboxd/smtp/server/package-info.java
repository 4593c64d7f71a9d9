/**
 * The SMTP server (RFC 5321): sessions, commands, DATA and BDAT, TLS, SASL and the addresses that trusted proxies
 * report. One virtual thread serves a session over a blocking socket. A {@link dev.inboxd.smtp.server.MailHandler}
 * decides about recipients and stores the message; {@code inbound} and {@code smtp.submission} have one each.
 */
@NullMarked
package dev.inboxd.smtp.server;

import org.jspecify.annotations.NullMarked;
