package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

import com.ibm.icu.util.TimeZone;
import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The zones that the TZIDs of a calendar mean: those of the IANA database, also behind the prefix of a vendor, and
 * those of Windows. A VTIMEZONE counts for where it says that it is; what it says of clocks is never computed.
 */
final class ZoneNames {
    static final ZoneId UTC = ZoneId.of("UTC");

    private static final int MAX_NAME = 255;
    private static final String MICROSOFT_UTC = "tzone://Microsoft/Utc";

    private final Map<String, String> locations;
    private final Map<String, ZoneId> known = new HashMap<>();

    /** @param locations where each VTIMEZONE says that it is, by its TZID */
    ZoneNames(Map<String, String> locations) {
        this.locations = locations;
    }

    /** The zone of a TZID; one that is not known is refused. */
    ZoneId zone(String name) throws CalendarSyntaxException {
        ZoneId zone = known.get(name);
        if (zone == null) {
            String location = locations.getOrDefault(name, "");
            zone = named(name);
            zone = zone == null ? named(location) : zone;
            if (zone == null) {
                throw new CalendarSyntaxException("A zone is not known");
            }
            known.put(name, zone);
        }
        return zone;
    }

    private static @Nullable ZoneId named(String name) throws CalendarSyntaxException {
        check(name.length() <= MAX_NAME, "The name of a zone is too long");
        if (name.isEmpty()) {
            return null;
        }
        if (name.equalsIgnoreCase(MICROSOFT_UTC)) {
            return UTC;
        }
        ZoneId zone = iana(name);
        int slash = name.indexOf('/');
        if (slash < 0) {
            return zone == null ? windows(name) : zone;
        }
        for (; zone == null && slash >= 0; slash = name.indexOf('/', slash + 1)) {
            zone = iana(name.substring(slash + 1));
        }
        return zone;
    }

    private static @Nullable ZoneId iana(String name) {
        return ZoneRulesProvider.getAvailableZoneIds().contains(name) ? ZoneId.of(name) : null;
    }

    private static @Nullable ZoneId windows(String name) {
        String zone = TimeZone.getIDForWindowsID(name, null);
        return zone == null ? null : iana(zone);
    }
}
