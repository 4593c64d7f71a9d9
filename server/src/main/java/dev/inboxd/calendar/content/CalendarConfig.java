package dev.inboxd.calendar.content;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;

/**
 * How calendars are served.
 *
 * @param enabled whether they are served at all; what they hold stays when they are not
 * @param requiresIfMatch whether a change must name the state that it is made to
 */
public record CalendarConfig(boolean enabled, boolean requiresIfMatch) {
    /** Refuses a request while calendars are off: {@code forbidden}. */
    public void requireEnabled() {
        if (!enabled) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "Calendar access is not enabled for this organization",
                    "Ask the operator of the server to turn calendars on.");
        }
    }
}
