package dev.inboxd.calendar.input;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import org.jspecify.annotations.Nullable;

/** The zones of the IANA database. An alias stays what it is. */
public final class TimeZones {
    public static final String EXPECTED = "a zone of the IANA database, such as Europe/Berlin or UTC";

    private TimeZones() {}

    /** The zone of a name, or null: an offset is no zone. */
    public static @Nullable ZoneId parse(String name) {
        try {
            return ZoneRulesProvider.getAvailableZoneIds().contains(name) ? ZoneId.of(name) : null;
        } catch (DateTimeException none) {
            return null;
        }
    }
}
