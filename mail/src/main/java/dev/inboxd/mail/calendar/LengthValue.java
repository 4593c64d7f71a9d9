package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

/**
 * A length as a value (RFC 5545 §3.3.6): days that a zone may make longer or shorter, and seconds that it may not.
 */
record LengthValue(long days, long seconds) {
    private static final int DAY = 86_400;
    private static final int WEEK = 7;
    private static final int MAX_DIGITS = 9;
    private static final int MAX_TEXT = 64;
    /** Those of the years that calendars have. */
    private static final long MAX_DAYS = 3_000_000;

    /** Reads a length that is not negative. */
    static LengthValue read(String value) throws CalendarSyntaxException {
        String text = value.strip();
        int at = text.startsWith("+") ? 1 : 0;
        check(text.length() <= MAX_TEXT && text.startsWith("P", at) && !text.endsWith("T"), malformed());
        check(text.length() > at + 1, malformed());
        long days = 0;
        long seconds = 0;
        boolean isOfClock = false;
        for (at++; at < text.length(); at++) {
            if (text.charAt(at) == 'T' && !isOfClock) {
                isOfClock = true;
                continue;
            }
            int end = digitsEnd(text, at);
            check(end > at && end - at <= MAX_DIGITS && end < text.length(), malformed());
            long number = Long.parseLong(text, at, end, 10);
            char unit = text.charAt(end);
            days += switch (unit) {
                // Some programs write days and weeks behind the T.
                case 'W' -> number * WEEK;
                case 'D' -> number;
                default -> 0;
            };
            seconds += number * seconds(unit, isOfClock);
            at = end;
        }
        check(days + seconds / DAY <= MAX_DAYS, "A length is too long");
        return new LengthValue(days, seconds);
    }

    private static int digitsEnd(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    private static int seconds(char unit, boolean isOfClock) throws CalendarSyntaxException {
        int seconds = switch (unit) {
            case 'W', 'D' -> 0;
            case 'H' -> 3_600;
            case 'M' -> 60;
            case 'S' -> 1;
            default -> -1;
        };
        check(seconds == 0 || (seconds > 0 && isOfClock), malformed());
        return seconds;
    }

    /** The length in days, which it must be of. */
    long wholeDays() throws CalendarSyntaxException {
        check(seconds % DAY == 0, "An event of days has a length of hours");
        return days + seconds / DAY;
    }

    private static String malformed() {
        return "A length is malformed";
    }
}
