package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;
import static dev.inboxd.mail.calendar.CalendarSyntaxException.checkSize;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Divides the text of a calendar into its components (RFC 5545 §3.4, §3.6). What is not read is passed over, whatever
 * it holds, and counts towards the limits.
 */
final class CalendarScanner {
    private static final int MAX_DEPTH = 8;
    private static final int MAX_COMPONENTS = 2_500;
    /** A series and as many of its dates as a year has days. */
    private static final int MAX_EVENTS = 367;

    private final Deque<Component> open = new ArrayDeque<>();
    private final List<Component> events = new ArrayList<>();
    private final Map<String, String> locations = new HashMap<>();
    private final Map<String, List<Component>> zones = new HashMap<>();
    private final List<Component> observances = new ArrayList<>();
    private @Nullable Component calendar;
    private int components;

    private CalendarScanner() {}

    static CalendarScanner scan(String text) throws CalendarSyntaxException {
        CalendarScanner scanner = new CalendarScanner();
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end;
            scanner.line(text.substring(from, to));
            from = to + 1;
        }
        check(scanner.open.isEmpty(), "A component does not end");
        return scanner;
    }

    private void line(String line) throws CalendarSyntaxException {
        String name = ContentLine.name(line);
        if (name.equals("BEGIN")) {
            begin(component(line));
        } else if (name.equals("END")) {
            end(component(line));
        } else if (!open.isEmpty()) {
            open.element().add(name, line);
        } else {
            check(line.isBlank(), "There is text beside the calendar");
        }
    }

    private static String component(String line) {
        return line.substring(line.indexOf(':') + 1).strip().toUpperCase(Locale.ROOT);
    }

    private void begin(String name) throws CalendarSyntaxException {
        check(!open.isEmpty() || name.equals("VCALENDAR"), "It does not begin with a calendar");
        check(!open.isEmpty() || calendar == null, "There is more than one calendar");
        checkSize(open.size() < MAX_DEPTH, "Components are nested too deep");
        checkSize(++components <= MAX_COMPONENTS, "There are too many components");
        Component component = Component.begin(name, open.size() + 1);
        open.push(component);
        if (open.size() == 1) {
            calendar = component;
        } else if (open.size() == 2 && component.is("VEVENT")) {
            checkSize(events.size() < MAX_EVENTS, "There are too many events");
            events.add(component);
        }
    }

    private void end(String name) throws CalendarSyntaxException {
        check(!open.isEmpty() && open.element().is(name), "A component ends that did not begin");
        Component component = open.pop();
        if (component.isObservance() && open.size() == 2) {
            observances.add(component);
        }
        ContentLine zone = component.first("TZID");
        if (component.is("VTIMEZONE") && open.size() == 1) {
            if (zone != null) {
                zones.putIfAbsent(TextValue.read(zone.value()).strip(), List.copyOf(observances));
            }
            observances.clear();
        }
        ContentLine location = component.first("X-LIC-LOCATION");
        if (zone != null && location != null) {
            locations.putIfAbsent(
                    TextValue.read(zone.value()).strip(),
                    TextValue.read(location.value()).strip());
        }
    }

    /** The calendar itself. */
    Component calendar() throws CalendarSyntaxException {
        if (calendar == null) {
            throw new CalendarSyntaxException("There is no calendar");
        }
        return calendar;
    }

    List<Component> events() {
        return events;
    }

    /** What each VTIMEZONE says of its clocks, by its TZID. */
    Map<String, List<Component>> zones() {
        return zones;
    }

    /** Where each VTIMEZONE says that it is, by its TZID. */
    Map<String, String> locations() {
        return locations;
    }
}
