/** The verbs of calendars and events: create, change, delete, answer; and their routes. */
@NullMarked
package dev.inboxd.calendar.event;

import org.jspecify.annotations.NullMarked;
