/**
 * Calendars of inboxes: events single, recurring and edited by date, over HTTP (calendar.md). Times and rules are in
 * {@code mail.recurrence}; here is what is stored, who may change what and when, and which events are raised.
 */
@NullMarked
package dev.inboxd.calendar;

import org.jspecify.annotations.NullMarked;
