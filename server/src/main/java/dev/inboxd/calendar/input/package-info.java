/** Reading what a client sends of an event: members, times, rules, attendees, preconditions. */
@NullMarked
package dev.inboxd.calendar.input;

import org.jspecify.annotations.NullMarked;
