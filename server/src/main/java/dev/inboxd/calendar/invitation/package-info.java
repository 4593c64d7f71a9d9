/**
 * Invitations by mail (calendar.md §7): what a change sends to attendees and organizers, and what mail brings into a
 * calendar.
 */
@NullMarked
package dev.inboxd.calendar.invitation;

import org.jspecify.annotations.NullMarked;
