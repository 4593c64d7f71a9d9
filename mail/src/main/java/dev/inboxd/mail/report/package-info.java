/**
 * Reads what servers write about mail that was sent: delivery status notifications (RFC 3464), notices in free text,
 * and feedback reports (RFC 5965). No I/O of its own; time and memory are bounded for any input. Whether a report may
 * be believed is decided in {@code sending.feedback}.
 */
@NullMarked
package dev.inboxd.mail.report;

import org.jspecify.annotations.NullMarked;
