/**
 * Where mail of a domain goes: its hosts (RFC 5321 §5), MTA-STS (RFC 8461) and DANE (RFC 7672), and delivery to them.
 */
@NullMarked
package dev.inboxd.outbound.mx;

import org.jspecify.annotations.NullMarked;
