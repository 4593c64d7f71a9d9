package dev.inboxd.event;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.id.Base62;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The public id of an event: {@code evt_}, its microsecond, its number, and a few characters of its organization, in
 * fixed widths. So ids sort like numbers, in commit order, and a client can use the last one as its cursor.
 */
public final class EventId {
    private static final String PREFIX = "evt_";
    private static final int TIME_WIDTH = 9;
    private static final int NUMBER_WIDTH = 8;
    private static final int ORGANIZATION_WIDTH = 5;
    private static final long ORGANIZATIONS = 916_132_832; // 62^5

    private EventId() {}

    /** The id of an organization's event. */
    public static String of(UUID organization, Tx.Stamp stamp) {
        return PREFIX
                + Base62.fixed(ChronoUnit.MICROS.between(Instant.EPOCH, stamp.at()), TIME_WIDTH)
                + Base62.fixed(stamp.number(), NUMBER_WIDTH)
                + Base62.fixed(mark(organization), ORGANIZATION_WIDTH);
    }

    /** The number in an event id of this organization, or null for any other text. */
    public static @Nullable Long number(UUID organization, String id) {
        if (id.length() != PREFIX.length() + TIME_WIDTH + NUMBER_WIDTH + ORGANIZATION_WIDTH || !id.startsWith(PREFIX)) {
            return null;
        }
        int at = PREFIX.length() + TIME_WIDTH;
        try {
            boolean ours = Base62.number(id.substring(at + NUMBER_WIDTH)) == mark(organization);
            return ours ? Base62.number(id.substring(at, at + NUMBER_WIDTH)) : null;
        } catch (NumberFormatException malformed) {
            return null;
        }
    }

    private static long mark(UUID organization) {
        return Math.floorMod(
                organization.getLeastSignificantBits() ^ organization.getMostSignificantBits(), ORGANIZATIONS);
    }
}
