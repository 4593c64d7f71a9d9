/** Domains that inboxes live at: their signing keys (RFC 6376). Customers' own domains come on this foundation. */
@NullMarked
package dev.inboxd.domain;

import org.jspecify.annotations.NullMarked;
