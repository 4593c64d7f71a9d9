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
            "ORGANIZER",
            "ATTENDEE");

    private final String name;
    private final Set<String> known;
    private final Map<String, List<ContentLine>> properties = new HashMap<>();

    private Component(String name, Set<String> known) {
        this.name = name;
        this.known = known;
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
            default -> new Component(name, Set.of());
        };
    }

    void add(String property, String line) throws CalendarSyntaxException {
        if (known.contains(property)) {
            CalendarSyntaxException.check(line.length() <= MAX_LINE || TEXTS.contains(property), "A line is too long");
            properties.computeIfAbsent(property, _ -> new ArrayList<>()).add(ContentLine.parse(property, line));
        }
    }

    boolean is(String other) {
        return name.equals(other);
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
