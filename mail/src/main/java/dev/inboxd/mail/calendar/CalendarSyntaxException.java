package dev.inboxd.mail.calendar;

/** A calendar that is not read. The message is a short sentence, and holds nothing of the calendar. */
final class CalendarSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final ReadResult.Kind kind;

    CalendarSyntaxException(String reason) {
        this(reason, ReadResult.Kind.MALFORMED);
    }

    private CalendarSyntaxException(String reason, ReadResult.Kind kind) {
        super(reason, null, false, false);
        this.kind = kind;
    }

    static CalendarSyntaxException unknownZone() {
        return new CalendarSyntaxException("A zone is not known", ReadResult.Kind.UNKNOWN_ZONE);
    }

    ReadResult.Kind kind() {
        return kind;
    }

    static void check(boolean fine, String reason) throws CalendarSyntaxException {
        if (!fine) {
            throw new CalendarSyntaxException(reason);
        }
    }

    /** Refuses what is larger than what is taken. */
    static void checkSize(boolean fine, String reason) throws CalendarSyntaxException {
        if (!fine) {
            throw new CalendarSyntaxException(reason, ReadResult.Kind.TOO_LARGE);
        }
    }
}
