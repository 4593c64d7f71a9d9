/** Times of calendar events and recurrence rules (RFC 5545 §3.3.10, §3.8.5); pure code. */
@NullMarked
package dev.inboxd.mail.recurrence;

import org.jspecify.annotations.NullMarked;
