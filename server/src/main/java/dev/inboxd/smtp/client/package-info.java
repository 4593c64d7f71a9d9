/**
 * The SMTP client (RFC 5321, with RFC 1870, 2034, 2920, 3207, 4954, 6152 and 6531): connections, their pool, TLS and
 * transactions over blocking sockets, for virtual threads. It knows nothing of the queue.
 *
 * <p>A peer may lie, send slowly, disconnect and flood: replies are bounded in length, number and time, and writes in
 * time. Addresses enter as typed parts and are rendered here, so no text of a caller becomes a command.
 */
@NullMarked
package dev.inboxd.smtp.client;

import org.jspecify.annotations.NullMarked;
