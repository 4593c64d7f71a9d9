package dev.inboxd.calendar.intake;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of a calendar that came by mail (ruling 159).
 *
 * @param event the event or date that was made or changed, as in paths; null when nothing was
 */
public record ImportOutcome(Reason reason, @Nullable String event) {
    /** Why a calendar changed nothing, or that it did. */
    public enum Reason {
        /** It was applied. */
        APPLIED,
        /** It is not the word of who organizes the event. */
        NOT_THE_ORGANIZER,
        /** It asks nothing of the inbox, or answers for somebody who is not invited. */
        NOT_INVITED,
        /** It names a zone that is not known. */
        UNKNOWN_ZONE,
        /** It is larger than what is taken, or has too many dates. */
        TOO_LARGE,
        /** It is not written as calendars are, or holds what is not taken. */
        MALFORMED,
        /** What is known is newer. */
        OLDER,
        /** The message is held. */
        HELD;

        /** The word in rows and answers. */
        public String wireName() {
            return this == APPLIED ? "taken" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** Something was made or changed. */
    static ImportOutcome applied(String event) {
        return new ImportOutcome(Reason.APPLIED, event);
    }

    /** Nothing was changed. */
    public static ImportOutcome ignored(Reason why) {
        return new ImportOutcome(why, null);
    }

    boolean isApplied() {
        return reason == Reason.APPLIED;
    }
}
