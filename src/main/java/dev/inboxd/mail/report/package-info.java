/**
 * Parses reports about sent mail: delivery status notifications (RFC 3464), the notices of servers that do not write
 * them, and feedback reports (RFC 5965). No I/O of its own; time and memory are bounded for any input. Whether a
 * report can be trusted is not decided here.
 */
@NullMarked
package dev.inboxd.mail.report;

import org.jspecify.annotations.NullMarked;
