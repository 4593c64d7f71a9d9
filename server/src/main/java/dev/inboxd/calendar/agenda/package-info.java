/** The dates of several calendars in one window of time. */
@NullMarked
package dev.inboxd.calendar.agenda;

import org.jspecify.annotations.NullMarked;
