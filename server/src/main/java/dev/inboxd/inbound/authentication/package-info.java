/** Whose a message is: SPF, DKIM, DMARC and ARC (RFC 8601), and the trace fields that say so. */
@NullMarked
package dev.inboxd.inbound.authentication;

import org.jspecify.annotations.NullMarked;
