package dev.inboxd.mail.calendar;

import com.ibm.icu.util.TimeZone;
import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The zones of the IANA database and of Windows by their names, in any case of letters. */
final class WindowsZones {
    /** The territory that stands for the world in CLDR: the zone that a name of Windows means by itself. */
    private static final String WORLD = "001";

    /** Names that Windows had once and CLDR has not any more. */
    private static final Map<String, String> RETIRED = Map.ofEntries(
            Map.entry("Armenian Standard Time", "Asia/Yerevan"),
            Map.entry("Bangkok Standard Time", "Asia/Bangkok"),
            Map.entry("Coordinated Universal Time", "UTC"),
            Map.entry("Dhaka Standard Time", "Asia/Dhaka"),
            Map.entry("GFT Standard Time", "Europe/Athens"),
            Map.entry("Jerusalem Standard Time", "Asia/Jerusalem"),
            Map.entry("Kamchatka Standard Time", "Asia/Kamchatka"),
            Map.entry("Malay Peninsula Standard Time", "Asia/Singapore"),
            Map.entry("Mexico Standard Time", "America/Mexico_City"),
            Map.entry("Mexico Standard Time 2", "America/Mazatlan"),
            Map.entry("Mid-Atlantic Standard Time", "Atlantic/South_Georgia"),
            Map.entry("Newfoundland and Labrador Standard Time", "America/St_Johns"),
            Map.entry("Prague Bratislava Standard Time", "Europe/Prague"),
            Map.entry("Saudi Arabia Standard Time", "Asia/Riyadh"),
            Map.entry("Sydney Standard Time", "Australia/Sydney"),
            Map.entry("Warsaw Standard Time", "Europe/Warsaw"));

    private static final Map<String, String> NAMES = names();
    private static final List<String> OF_THE_WORLD = world();

    private WindowsZones() {}

    private static Map<String, String> names() {
        Map<String, String> names = new HashMap<>();
        RETIRED.forEach((name, zone) -> names.put(key(name), zone));
        for (String name : windows().keySet()) {
            String zone = TimeZone.getIDForWindowsID(name, null);
            if (zone != null) {
                names.put(key(name), zone);
            }
        }
        ZoneRulesProvider.getAvailableZoneIds().forEach(zone -> names.put(key(zone), zone));
        names.values().removeIf(zone -> !ZoneRulesProvider.getAvailableZoneIds().contains(zone));
        return Map.copyOf(names);
    }

    /** The names of Windows, each with how many zones it stands for. */
    private static Map<String, Integer> windows() {
        Map<String, Integer> windows = new TreeMap<>();
        for (String zone : TimeZone.getAvailableIDs()) {
            String name = TimeZone.getWindowsID(zone);
            if (name != null) {
                windows.merge(name, 1, Integer::sum);
            }
        }
        return windows;
    }

    private static List<String> world() {
        Map<String, Integer> world = new TreeMap<>();
        windows().forEach((name, count) -> {
            String zone = TimeZone.getIDForWindowsID(name, WORLD);
            if (zone != null && ZoneRulesProvider.getAvailableZoneIds().contains(zone)) {
                world.merge(zone, count, Math::max);
            }
        });
        return world.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The zone of a name of either kind, or null. */
    static @Nullable ZoneId zone(String name) {
        boolean isExact = ZoneRulesProvider.getAvailableZoneIds().contains(name);
        String zone = isExact ? name : NAMES.get(key(name));
        return zone == null ? null : ZoneId.of(zone);
    }

    /** The zone of a name of the IANA database, or null. */
    static @Nullable ZoneId iana(String name) {
        ZoneId zone = zone(name);
        return zone == null || !zone.getId().equalsIgnoreCase(name) ? null : zone;
    }

    /** The zones that names of Windows mean by themselves: first those that stand for the most others, then by name. */
    static List<String> ofTheWorld() {
        return OF_THE_WORLD;
    }
}
