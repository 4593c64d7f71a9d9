/** Calendars as iCalendar feeds, for the programs of people. */
@NullMarked
package dev.inboxd.calendar.feed;

import org.jspecify.annotations.NullMarked;
