package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

import dev.inboxd.mail.recurrence.EventTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRulesProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The zones that the TZIDs of a calendar mean: those of the IANA database, also behind the prefix of a vendor, and
 * those of Windows. A VTIMEZONE counts for where it says that it is. What it says of clocks counts for a name that
 * nobody knows: it is the IANA zone that has the same offsets while events use it.
 */
final class ZoneNames {
    static final ZoneId UTC = ZoneId.of("UTC");

    private static final int MAX_NAME = 255;
    /** Changes of clocks that are computed for a calendar. */
    private static final int MOST_CHANGES = 4_000;

    private static final String MICROSOFT_UTC = "tzone://Microsoft/Utc";
    private static final Duration A_YEAR = Duration.ofDays(366);

    private final CalendarScanner scanner;
    private final ZoneId own;
    private final Map<String, ZoneId> zonesByName = new HashMap<>();
    private final Map<String, ZoneClocks> observed = new HashMap<>();
    private int changes = MOST_CHANGES;

    /** @param own the zone of the calendar that is read into, which wins where several fit */
    ZoneNames(CalendarScanner scanner, ZoneId own) {
        this.scanner = scanner;
        this.own = own;
    }

    /** A start with the clocks of a TZID, without length; one that is not known is refused. */
    EventTime moment(String name, LocalDateTime wall) throws CalendarSyntaxException {
        ZoneClocks clocks = observed.get(name);
        if (clocks == null) {
            ZoneId zone = zone(name);
            if (zone != null) {
                return WallValue.moment(false, wall, zone);
            }
            clocks = observed.get(name);
        }
        if (clocks == null) {
            throw CalendarSyntaxException.unknownZone();
        }
        // A single event of a zone that no other agrees with is taken as instants.
        return WallValue.moment(
                false, WallValue.bounded(LocalDateTime.ofInstant(clocks.instant(wall), ZoneOffset.UTC)), UTC);
    }

    private @Nullable ZoneId zone(String name) throws CalendarSyntaxException {
        ZoneId zone = zonesByName.get(name);
        if (zone == null) {
            zone = named(name);
            zone = zone == null ? named(scanner.locations().getOrDefault(name, "")) : zone;
            zone = zone == null ? agreeing(name) : zone;
            if (zone != null) {
                zonesByName.put(name, zone);
            }
        }
        return zone;
    }

    /** The zone with the clocks of a VTIMEZONE; null when there is none, and the clocks themselves count. */
    private @Nullable ZoneId agreeing(String name) throws CalendarSyntaxException {
        List<Component> observances = scanner.zones().get(name);
        if (observances == null) {
            throw CalendarSyntaxException.unknownZone();
        }
        ZoneUse use;
        ZoneClocks clocks;
        try {
            use = ZoneUse.of(scanner.events(), name);
            Instant end = use.until().toInstant(ZoneOffset.UTC).plus(A_YEAR).plus(A_YEAR);
            clocks = ZoneClocks.read(observances, end, changes);
        } catch (CalendarSyntaxException unreadable) {
            throw CalendarSyntaxException.unknownZone();
        }
        changes = clocks.left();
        ZoneId zone = agreeing(clocks, clocks.instant(use.from()), clocks.instant(use.until()));
        if (zone == null) {
            if (use.series()) {
                throw CalendarSyntaxException.unknownZone();
            }
            observed.put(name, clocks);
        }
        return zone;
    }

    /** That of the calendar, else one that stands for others, best one that agrees for longer, else the first. */
    private @Nullable ZoneId agreeing(ZoneClocks clocks, Instant from, Instant until) {
        if (clocks.agrees(own.getRules(), from, until)) {
            return own;
        }
        Set<String> all = new TreeSet<>(ZoneRulesProvider.getAvailableZoneIds());
        all.removeIf(zoneId -> !clocks.agrees(ZoneId.of(zoneId).getRules(), from, until));
        List<String> world =
                WindowsZones.ofTheWorld().stream().filter(all::contains).toList();
        return world.stream()
                .filter(zoneId -> clocks.agrees(ZoneId.of(zoneId).getRules(), from.minus(A_YEAR), until.plus(A_YEAR)))
                .findFirst()
                .or(() -> world.stream().findFirst())
                .or(() -> all.stream().findFirst())
                .map(ZoneId::of)
                .orElse(null);
    }

    private static @Nullable ZoneId named(String name) throws CalendarSyntaxException {
        check(name.length() <= MAX_NAME, "The name of a zone is too long");
        if (name.isEmpty()) {
            return null;
        }
        if (name.equalsIgnoreCase(MICROSOFT_UTC)) {
            return UTC;
        }
        ZoneId zone = WindowsZones.zone(name);
        for (int slash = name.indexOf('/'); zone == null && slash >= 0; slash = name.indexOf('/', slash + 1)) {
            zone = WindowsZones.iana(name.substring(slash + 1));
        }
        return zone;
    }
}
