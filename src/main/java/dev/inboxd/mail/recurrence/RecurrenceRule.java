package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** A recurrence rule (RFC 5545 §3.3.10), checked and in its normal form. */
public final class RecurrenceRule {
    /**
     * Reads a rule.
     *
     * @param allDay whether the event is; then UNTIL is a date, and BYHOUR, BYMINUTE and BYSECOND are refused
     * @param lenient as mail brings rules: what an all-day event cannot use is ignored instead of refused, and UNTIL may
     *     be a local time
     * @throws RuleSyntaxException for anything else than what the calendar takes
     */
    public static RecurrenceRule parse(String text, boolean allDay, boolean lenient) throws RuleSyntaxException {
        throw new UnsupportedOperationException();
    }

    /** The normal form, without {@code RRULE:}; at most 512 characters. */
    public String text() {
        throw new UnsupportedOperationException();
    }

    /** The rule that ends before this nominal start, as UNTIL in UTC or, all-day, as a date; COUNT goes. */
    public RecurrenceRule endingBefore(LocalDateTime start, ZoneId zone) {
        throw new UnsupportedOperationException();
    }

    /** Whether it ever ends by itself. */
    public boolean isFinite() {
        throw new UnsupportedOperationException();
    }
}
