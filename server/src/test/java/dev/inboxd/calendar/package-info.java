/** Tests of calendars. */
@NullMarked
package dev.inboxd.calendar;

import org.jspecify.annotations.NullMarked;
