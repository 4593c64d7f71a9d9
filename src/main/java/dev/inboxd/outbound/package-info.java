/**
 * Sending: from a stored message to the other server's reply for each recipient.
 *
 * <p>This package holds the SMTP client (RFC 5321 with RFC 1870, 2034, 2920, 6152, 6531) over blocking sockets, meant
 * for virtual threads. A peer may lie, drip, drop and flood: replies are bounded in length, number and time, and writes
 * in time. Addresses enter as typed parts and are rendered here, so no text of a caller becomes a command.
 */
@NullMarked
package dev.inboxd.outbound;

import org.jspecify.annotations.NullMarked;
