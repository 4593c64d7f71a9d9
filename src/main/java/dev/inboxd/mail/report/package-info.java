/**
 * Reads what machines write about mail that was sent: delivery status notifications (RFC 3464), the notices of servers
 * that do not write them, and feedback reports (RFC 5965). No I/O of its own; whatever it is given, time and memory are
 * bounded. Whether a report may be believed is not decided here.
 */
@NullMarked
package dev.inboxd.mail.report;

import org.jspecify.annotations.NullMarked;
