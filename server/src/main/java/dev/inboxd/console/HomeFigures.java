package dev.inboxd.console;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.BarChart;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How much mail came and left: numbers of today and of seven days, and by hour and day. All days are those of UTC. */
final class HomeFigures {
    private static final List<String> COUNTED =
            List.of("message.received", "message.sent", "message.bounced", "message.rejected");
    private static final int DAYS = 14;
    private static final int HOURS = 24;

    private final Instant now;
    private final JsonTree days;
    private final JsonTree hours;

    /** Reads what the page needs, in two calls. */
    HomeFigures(Visit visit) {
        now = visit.now();
        days = visit.readIfAllowed(LocalCall.get("metrics")
                .with("start", midnight(DAYS - 1).toString())
                .with("period", "86400")
                .with("event_types", String.join(",", COUNTED)));
        hours = visit.readIfAllowed(LocalCall.get("metrics")
                .with("start", hour(HOURS - 1).toString())
                .with("period", "3600")
                .with("event_types", "message.received,message.sent"));
    }

    private Instant midnight(int daysAgo) {
        return now.truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(daysAgo));
    }

    private Instant hour(int hoursAgo) {
        return now.truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(hoursAgo));
    }

    /** For each type: its label, how often today and in seven days, and the pages that list those. */
    List<List<String>> numbers() {
        List<List<String>> numbers = new ArrayList<>();
        for (String type : COUNTED) {
            Map<String, Long> counts = counts(days, type);
            long week = 0;
            for (int i = 0; i < 7; i++) {
                week += counts.getOrDefault(midnight(i).toString(), 0L);
            }
            String label = type.substring("message.".length());
            numbers.add(List.of(
                    label,
                    String.valueOf(counts.getOrDefault(midnight(0).toString(), 0L)),
                    String.valueOf(week),
                    "/mail?label=" + label + "&after=" + midnight(0),
                    "/mail?label=" + label + "&after=" + midnight(6)));
        }
        return numbers;
    }

    /** The last 24 hours, and the last 14 days. */
    List<BarChart> charts() {
        List<BarChart.Bar> byHour = new ArrayList<>();
        for (int i = HOURS - 1; i >= 0; i--) {
            String at = hour(i).toString();
            byHour.add(bar(hours, at, at.substring(11, 16)));
        }
        List<BarChart.Bar> byDay = new ArrayList<>();
        for (int i = DAYS - 1; i >= 0; i--) {
            byDay.add(bar(
                    days,
                    midnight(i).toString(),
                    LocalDate.ofInstant(midnight(i), ZoneOffset.UTC).toString()));
        }
        return List.of(new BarChart("The last 24 hours", byHour), new BarChart("The last 14 days", byDay));
    }

    private static BarChart.Bar bar(JsonTree metrics, String at, String label) {
        return new BarChart.Bar(
                label,
                counts(metrics, "message.received").getOrDefault(at, 0L),
                counts(metrics, "message.sent").getOrDefault(at, 0L));
    }

    private static Map<String, Long> counts(JsonTree metrics, String type) {
        Map<String, Long> counts = new HashMap<>();
        for (JsonTree bucket : metrics.list(type)) {
            counts.put(Instant.parse(bucket.text("timestamp")).toString(), bucket.number("count"));
        }
        return counts;
    }
}
