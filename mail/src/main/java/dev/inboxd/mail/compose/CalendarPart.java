package dev.inboxd.mail.compose;

/**
 * A calendar that a message carries (RFC 6047 §2.4). Programs for calendars act on it.
 *
 * @param method what it asks for, such as REQUEST; the same word as in the calendar
 * @param text the calendar, with CRLF line ends
 */
public record CalendarPart(String method, String text) {}
