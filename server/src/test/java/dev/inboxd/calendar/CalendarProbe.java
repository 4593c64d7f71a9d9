package dev.inboxd.calendar;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.server.World;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The calendar of a new inbox, for tests. */
public final class CalendarProbe {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final World world;
    private final String inbox;

    /** A calendar of a new inbox. */
    public CalendarProbe(World world) {
        this.world = world;
        this.inbox = world.inbox("calendar" + NUMBER.incrementAndGet());
    }

    public String inbox() {
        return inbox;
    }

    /** The path of something in the calendar. */
    public String path(String below) {
        return "/v0/inboxes/" + inbox + "/calendar" + below;
    }

    public HttpProbe.Answer get(String below) {
        return world.http().get(path(below));
    }

    public HttpProbe.Answer post(String below, String body) {
        return world.http().post(path(below), body.replace('\'', '"'));
    }

    public HttpProbe.Answer patch(String below, String body) {
        return world.http().patch(path(below), body.replace('\'', '"'));
    }

    /** A change from a state. */
    public HttpProbe.Answer patch(String below, String body, String tag) {
        return world.http().with("If-Match", tag).patch(path(below), body.replace('\'', '"'));
    }

    public HttpProbe.Answer delete(String below) {
        return world.http().delete(path(below));
    }

    /** Makes an event; quotes may be single. */
    public HttpProbe.Answer create(String body) {
        return post("/events", body);
    }

    /** Makes an event that takes place once, and returns its id. */
    public String single(String start, String end) {
        return create("{'title':'Call','start':'" + start + "','end':'" + end + "'}")
                .is(201)
                .text("event.event_id");
    }

    /** Makes a series of half hours, and returns its id. */
    public String series(String start, String rule) {
        LocalDateTime from = LocalDateTime.parse(start);
        return create("{'title':'Standup','start':'" + start + "','end':'" + wall(from.plusMinutes(30))
                        + "','recurrence':{'rule':'" + rule + "'}}")
                .is(201)
                .text("event.event_id");
    }

    /** The items of a list, by a path. */
    public List<Map<?, ?>> list(String below) {
        List<Map<?, ?>> items = new ArrayList<>();
        get(below).is(200).list("events").forEach(item -> items.add((Map<?, ?>) item));
        return items;
    }

    /** One member of each item. */
    public List<@Nullable Object> list(String below, String member) {
        List<@Nullable Object> values = new ArrayList<>();
        list(below).forEach(item -> values.add(item.get(member)));
        return values;
    }

    /** The service's time that much later on a wall in UTC, in whole seconds. */
    public String soon(long seconds) {
        Instant now = world.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        return wall(LocalDateTime.ofInstant(now.plusSeconds(seconds), ZoneOffset.UTC));
    }

    public static String wall(LocalDateTime at) {
        return WallTime.format(at, false);
    }

    /** The slot of a time. */
    public static String slot(String start) {
        return "t" + start.replace("-", "").replace(":", "");
    }

    /** Everything that the log has of this inbox, the oldest first. */
    public List<Map<?, ?>> events() {
        List<Map<?, ?>> events = new ArrayList<>();
        String cursor = null;
        List<?> page;
        do {
            HttpProbe.Answer answer = world.http()
                    .get("/v0/events?limit=100&inbox_ids=" + inbox + (cursor == null ? "" : "&cursor=" + cursor))
                    .is(200);
            page = answer.list("events");
            page.forEach(event -> events.add((Map<?, ?>) event));
            cursor = answer.text("next_cursor");
        } while (!page.isEmpty());
        return events;
    }

    /** The types of these events, without what all have in common. */
    public List<String> types() {
        return events().stream()
                .map(event -> String.valueOf(event.get("event_type")).replace("calendar.event.", ""))
                .toList();
    }

    public static Map<?, ?> object(@Nullable Object value) {
        return (Map<?, ?>) Objects.requireNonNull(value);
    }

    public static String json(Object value) {
        return Json.text(value);
    }
}
