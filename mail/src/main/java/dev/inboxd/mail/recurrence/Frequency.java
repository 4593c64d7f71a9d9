package dev.inboxd.mail.recurrence;

/** How often a rule repeats (RFC 5545 §3.3.10, FREQ); from the longest to the shortest. */
enum Frequency {
    YEARLY(0),
    MONTHLY(0),
    WEEKLY(0),
    DAILY(0),
    HOURLY(3600),
    MINUTELY(60),
    SECONDLY(1);

    private final int seconds;

    Frequency(int seconds) {
        this.seconds = seconds;
    }

    /** Seconds on the wall, of what is shorter than a day; else 0. */
    int seconds() {
        return seconds;
    }

    boolean isWithinDay() {
        return seconds > 0;
    }
}
