package dev.inboxd.tenant.organization;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an organization does about received mail that may steer an agent (security.md §1); the later, the more. */
public enum SecurityMode {
    /** Nothing is scanned. */
    OFF,
    /** Mail is scanned, and told of as ever. */
    MONITOR,
    /** Mail is scanned, and held when somebody should look at it first. */
    HOLD;

    /** The word on the wire and in the row. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The mode of that word; null for none. */
    static @Nullable SecurityMode ofWire(@Nullable String wire) {
        return wire == null ? null : valueOf(wire.toUpperCase(Locale.ROOT));
    }
}
