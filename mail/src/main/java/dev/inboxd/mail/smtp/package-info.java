/**
 * The syntax of SMTP: commands and their parameters (RFC 5321, RFC 1870, RFC 6152, RFC 6531), paths, replies with
 * enhanced status codes (RFC 3463, RFC 2034), the end-of-data state machine and trace fields.
 *
 * <p>Pure: no sockets, no clock, no state of the server. {@code smtp.server} and {@code smtp.client} both use it.
 */
@NullMarked
package dev.inboxd.mail.smtp;

import org.jspecify.annotations.NullMarked;
