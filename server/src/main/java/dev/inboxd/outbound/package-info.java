/**
 * Delivery of queued mail: it claims the recipients that are due, finds their hosts (MX, MTA-STS, DANE), keeps the
 * limits of each destination and organization, and writes the results and the reports (RFC 3464). Mail for an inbox of
 * this server goes to {@code inbound} without SMTP.
 */
@NullMarked
package dev.inboxd.outbound;

import org.jspecify.annotations.NullMarked;
