/**
 * Feedback about sent mail: bounces, delays, complaints and unsubscribes. The package decides which reports are
 * believed, and applies them: labels, events, and entries in the list of blocked recipients (events.md §4.3,
 * identity.md §12).
 */
@NullMarked
package dev.inboxd.sending.feedback;

import org.jspecify.annotations.NullMarked;
