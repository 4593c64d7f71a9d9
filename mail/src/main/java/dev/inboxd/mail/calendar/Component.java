package dev.inboxd.mail.calendar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A component of a calendar that is read (RFC 5545 §3.4), with those of its properties that are. */
final class Component {
    private static final int MAX_LINE = 64 * 1024;
    /** What is cut or dropped when it is long. */
    private static final Set<String> TEXTS = Set.of("SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT");

    private static final Set<String> OF_CALENDAR = Set.of("METHOD", "VERSION", "CALSCALE");
    private static final Set<String> OF_ZONE = Set.of("TZID", "X-LIC-LOCATION");
    private static final Set<String> OF_OBSERVANCE = Set.of("DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO");
    private static final List<String> ALL_DAY =
            List.of("X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT");
    private static final Set<String> TIMES = Set.of("DTSTART", "DTEND", "RECURRENCE-ID", "EXDATE", "RDATE");
    private static final Set<String> OF_EVENT = Set.of(
            "UID",
            "SEQUENCE",
            "DTSTAMP",
            "RECURRENCE-ID",
            "DTSTART",
            "DTEND",
            "DURATION",
            "RRULE",
            "EXRULE",
            "EXDATE",
            "RDATE",
            "SUMMARY",
            "DESCRIPTION",
            "LOCATION",
            "STATUS",
            "COMMENT",
            "X-MICROSOFT-CDO-ALLDAYEVENT",
            "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT",
            "ORGANIZER",
            "ATTENDEE");

    private final String name;
    private final Set<String> knownProperties;
    private final Map<String, List<ContentLine>> properties = new HashMap<>();
    private final Map<String, List<String>> unread = new HashMap<>();

    private Component(String name, Set<String> knownProperties) {
        this.name = name;
        this.knownProperties = knownProperties;
    }

    /**
     * A component that begins.
     *
     * @param depth 1 for the calendar itself
     */
    static Component begin(String name, int depth) {
        return switch (name) {
            case "VCALENDAR" -> new Component(name, depth == 1 ? OF_CALENDAR : Set.of());
            case "VTIMEZONE" -> new Component(name, depth == 2 ? OF_ZONE : Set.of());
            case "VEVENT" -> new Component(name, depth == 2 ? OF_EVENT : Set.of());
            case "STANDARD", "DAYLIGHT" -> new Component(name, depth == 3 ? OF_OBSERVANCE : Set.of());
            default -> new Component(name, Set.of());
        };
    }

    void add(String property, String line) throws CalendarSyntaxException {
        if (knownProperties.contains(property)) {
            if (isObservance()) { // most are never read, and whatever they hold harms no calendar
                unread.computeIfAbsent(property, _ -> new ArrayList<>()).add(line);
                return;
            }
            CalendarSyntaxException.checkSize(
                    line.length() <= MAX_LINE || TEXTS.contains(property), "A line is too long");
            properties.computeIfAbsent(property, _ -> new ArrayList<>()).add(ContentLine.parse(property, line));
        }
    }

    boolean is(String expected) {
        return name.equals(expected);
    }

    /**
     * The same with days for its times at midnight, where Outlook marks an event from midnight to midnight as all-day
     * (MS-OXCICAL, X-MICROSOFT-CDO-ALLDAYEVENT).
     */
    Component inDays() {
        ContentLine start = first("DTSTART");
        ContentLine end = first("DTEND");
        ContentLine length = first("DURATION");
        boolean isMarked = ALL_DAY.stream()
                .flatMap(mark -> all(mark).stream())
                .anyMatch(line -> line.value().strip().equalsIgnoreCase("TRUE"));
        if (!isMarked
                || start == null
                || !start.isMidnight()
                || (end != null && !end.isMidnight())
                || (length != null && length.value().indexOf('T') >= 0)) {
            return this;
        }
        Component days = new Component(name, knownProperties);
        properties.forEach((property, lines) -> days.properties.put(
                property,
                TIMES.contains(property)
                        ? lines.stream().map(ContentLine::inDays).toList()
                        : lines));
        return days;
    }

    /** Whether it says when the clocks of a zone change. */
    boolean isObservance() {
        return knownProperties.equals(OF_OBSERVANCE);
    }

    /** Reads the lines of a property of an observance. */
    List<ContentLine> lines(String property) throws CalendarSyntaxException {
        List<ContentLine> lines = new ArrayList<>();
        for (String line : unread.getOrDefault(property, List.of())) {
            lines.add(ContentLine.parse(property, line));
        }
        return lines;
    }

    List<ContentLine> all(String property) {
        return properties.getOrDefault(property, List.of());
    }

    /** The first of a property, or null. */
    @Nullable
    ContentLine first(String property) {
        List<ContentLine> all = all(property);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** The only one of a property, or null. Programs differ in which of several counts, so these are refused. */
    @Nullable
    ContentLine single(String property) throws CalendarSyntaxException {
        CalendarSyntaxException.check(all(property).size() <= 1, property + " is there twice");
        return first(property);
    }
}
