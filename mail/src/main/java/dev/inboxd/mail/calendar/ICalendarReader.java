package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads calendars that come by mail (RFC 5545 §3.4). Nothing in them is believed, computed beyond its dates, or
 * fetched; what is no calendar of one event or series is refused. Time and memory are linear in the octets.
 */
public final class ICalendarReader {
    private static final int MAX_METHOD = 32;

    private ICalendarReader() {}

    /**
     * Reads one part.
     *
     * @param octets its content, decoded from the transfer encoding
     * @param charset the parameter of its Content-Type, or null. UTF-8 is read whatever it says, unless it names a
     *     charset of Western Europe
     * @param floating the zone of days, and of times that name none
     * @return the calendar, or why it is refused; never an exception
     */
    public static ReadResult read(byte[] octets, @Nullable String charset, ZoneId floating) {
        try {
            return calendar(CalendarScanner.scan(CalendarText.read(octets, charset)), floating);
        } catch (CalendarSyntaxException refused) {
            return new ReadResult.Refusal(Objects.requireNonNull(refused.getMessage()), refused.kind());
        }
    }

    private static ReadResult.Calendar calendar(CalendarScanner scanner, ZoneId floating)
            throws CalendarSyntaxException {
        Component calendar = scanner.calendar();
        checkKind(calendar);
        String method = method(calendar);
        check(!scanner.events().isEmpty(), "There is no event");
        EventReader reader = new EventReader(new TimeValue(new ZoneNames(scanner, floating), floating), method);
        List<ReadEvent> events = new ArrayList<>();
        int masters = 0;
        for (Component component : scanner.events()) {
            ReadEvent event = reader.read(component.inDays());
            check(events.isEmpty() || event.uid().equals(events.getFirst().uid()), "There is more than one UID");
            masters += event.recurrenceId() == null ? 1 : 0;
            check(masters <= 1, "The event itself is there twice");
            events.add(event);
        }
        return new ReadResult.Calendar(method, events.getFirst().uid(), events);
    }

    private static void checkKind(Component calendar) throws CalendarSyntaxException {
        ContentLine version = calendar.first("VERSION");
        check(version == null || !version.value().strip().equals("1.0"), "It is a vCalendar");
        ContentLine scale = calendar.first("CALSCALE");
        check(
                scale == null
                        || scale.value().isBlank()
                        || scale.value().strip().equalsIgnoreCase("GREGORIAN"),
                "Its dates are not Gregorian");
    }

    private static @Nullable String method(Component calendar) throws CalendarSyntaxException {
        ContentLine line = calendar.single("METHOD");
        String method = line == null ? "" : line.value().strip().toUpperCase(Locale.ROOT);
        check(
                method.length() <= MAX_METHOD
                        && method.chars().allMatch(c -> (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'),
                "The method is malformed");
        return method.isEmpty() ? null : method;
    }
}
