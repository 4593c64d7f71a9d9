package dev.inboxd.mail.calendar;

/** A calendar that is not read. The message is a short sentence, and holds nothing of the calendar. */
final class CalendarSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    CalendarSyntaxException(String reason) {
        super(reason, null, false, false);
    }

    static void check(boolean fine, String reason) throws CalendarSyntaxException {
        if (!fine) {
            throw new CalendarSyntaxException(reason);
        }
    }
}
