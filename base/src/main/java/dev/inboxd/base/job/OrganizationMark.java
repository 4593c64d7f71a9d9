package dev.inboxd.base.job;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What holds one organization back while it moves to another installation, and after.
 *
 * @param state how far the move is
 * @param movedTo where it is now, or will be
 */
public record OrganizationMark(State state, @Nullable String movedTo) {
    /**
     * The condition under which a row is of an organization without a mark: the rows of one that moved away stay here,
     * and grow old.
     *
     * @param alias of the row's table
     */
    public static String noneAt(String alias) {
        return " not exists (select from organization_mark m where m.organization_id = " + alias + ".organization_id)";
    }

    /** Each state holds back what the one before does, and more. */
    public enum State {
        /** Nothing leaves. */
        HELD,
        /** Nothing is written. */
        READ_ONLY,
        /** It is elsewhere. */
        MOVED;

        static State of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
