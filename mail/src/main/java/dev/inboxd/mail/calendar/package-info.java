/** iCalendar (RFC 5545): calendars as other programs read them; pure code. */
@NullMarked
package dev.inboxd.mail.calendar;

import org.jspecify.annotations.NullMarked;
