/**
 * The SMTP client: connections, TLS and DANE, transactions, and a pool of sessions (RFC 5321 with RFC 1870, 2034, 2920,
 * 3207, 3461, 6152, 6531). Knows nothing of the delivery queue.
 *
 * <p>Blocking sockets on virtual threads. A host is not trusted: replies are bounded in length, number and time, and
 * writes in time. Addresses enter as typed parts and are rendered here, so that no text of a caller becomes a command.
 */
@NullMarked
package dev.inboxd.smtp.client;

import org.jspecify.annotations.NullMarked;
