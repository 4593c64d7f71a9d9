package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What takes place, by its days. Of a series the first date of the page stands there, and the others behind it. */
public final class AgendaDays {
    private static final DateTimeFormatter HEADING = DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy", Locale.ENGLISH);
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

    private AgendaDays() {}

    /**
     * A day.
     *
     * @param name in words
     */
    public record Day(String name, List<Line> lines) {}

    /**
     * What takes place on a day.
     *
     * @param event as the agenda has it
     * @param start the time of day; empty of what is all-day
     * @param end the same
     * @param others later dates of the same series
     */
    public record Line(JsonTree event, String start, String end, List<JsonTree> others) {}

    /**
     * The days of an agenda, where the person is: what is all-day first, and then by the time. All-day events have the
     * same date everywhere, so the order of their instants is not that of the days.
     */
    public static List<Day> of(List<JsonTree> events, ZoneId zone) {
        List<Day> days = new ArrayList<>();
        Map<String, Line> series = new HashMap<>();
        LocalDate last = null;
        Comparator<JsonTree> byDay = Comparator.<JsonTree, LocalDate>comparing(event -> date(event, zone))
                .thenComparing(event -> !event.is("all_day"))
                .thenComparing(event -> start(event));
        for (JsonTree event : events.stream().sorted(byDay).toList()) {
            Line first = event.has("series_id") ? series.get(event.text("series_id")) : null;
            if (first != null) {
                first.others.add(event);
                continue;
            }
            LocalDate date = date(event, zone);
            if (days.isEmpty() || !date.equals(last)) {
                days.add(new Day(HEADING.format(date), new ArrayList<>()));
                last = date;
            }
            Line line =
                    new Line(event, clock(event, "start_at", zone), clock(event, "end_at", zone), new ArrayList<>());
            days.getLast().lines.add(line);
            if (event.has("series_id")) {
                series.put(event.text("series_id"), line);
            }
        }
        return days;
    }

    private static LocalDate date(JsonTree event, ZoneId zone) {
        try {
            return event.is("all_day")
                    ? LocalDate.parse(event.text("start"))
                    : LocalDate.ofInstant(Instant.parse(event.text("start_at")), zone);
        } catch (DateTimeException unreadable) {
            return LocalDate.EPOCH;
        }
    }

    private static Instant start(JsonTree event) {
        try {
            return Instant.parse(event.text("start_at"));
        } catch (DateTimeException unreadable) {
            return Instant.EPOCH;
        }
    }

    private static String clock(JsonTree event, String member, ZoneId zone) {
        try {
            return event.is("all_day")
                    ? ""
                    : CLOCK.format(Instant.parse(event.text(member)).atZone(zone));
        } catch (DateTimeException unreadable) {
            return "";
        }
    }
}
