/**
 * What comes back about mail that was sent: bounces, delays, complaints and unsubscribes. It decides which reports are
 * believed, and writes what follows: labels, events, and entries of the list of blocked recipients (events.md §4.3,
 * identity.md §12).
 */
@NullMarked
package dev.inboxd.sending.feedback;

import org.jspecify.annotations.NullMarked;
