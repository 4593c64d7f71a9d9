package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.calendar.series.CalendarEventJson;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.recurrence.Slot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The list of events: a row for each single event and series, and for each date that was edited alone. */
public final class EventList {
    /** Events say more than other things: as many times the room of a page. */
    private static final int ROOMS = 2;

    private static final int READ_TOGETHER = 20;

    private final Database database;

    public EventList(Database database) {
        this.database = database;
    }

    /** A page, those first that were changed last. */
    Slice<JsonObject> page(View view, PageRequest page) {
        return database.read(tx -> {
            Slice<EventListSql.Key> keys = page.slice(EventListSql.keys(tx, view, page), EventListSql.Key::cursor);
            List<EventListSql.Key> shown =
                    WeighedPage.fitting(keys.items(), EventListSql.Key::weight, ROOMS * page.room());
            List<JsonObject> rows = new ArrayList<>();
            for (int from = 0; from < shown.size(); from += READ_TOGETHER) {
                rows.addAll(rows(tx, view, shown.subList(from, Math.min(shown.size(), from + READ_TOGETHER))));
            }
            return new Slice<>(
                    rows, shown.size() < keys.items().size() ? shown.getLast().cursor() : keys.next());
        });
    }

    /** The rows of these keys, without those that went meanwhile. */
    private static List<JsonObject> rows(Tx tx, View view, List<EventListSql.Key> keys) {
        Map<UUID, CalendarEventSql.EventRow> events = new HashMap<>();
        CalendarEventSql.find(
                        tx,
                        view,
                        keys.stream().map(EventListSql.Key::event).distinct().toList(),
                        true)
                .forEach(row -> events.put(row.event().id(), row));
        Map<UUID, WholeEvent> series = new HashMap<>();
        List<JsonObject> rows = new ArrayList<>();
        for (EventListSql.Key key : keys) {
            CalendarEventSql.EventRow row = events.get(key.event());
            Slot slot = Slot.parse(key.slot());
            if (row == null) {
                continue;
            }
            if (slot == null) {
                rows.add(CalendarEventJson.of(row.event(), CalendarEventJson.Form.FULL));
            } else {
                series.computeIfAbsent(key.event(), id -> WholeEvent.ofRow(tx, view, row, slots(keys, id)))
                        .dates()
                        .at(slot)
                        .ifPresent(date -> rows.add(CalendarEventJson.of(date, CalendarEventJson.Form.FULL)));
            }
        }
        return rows;
    }

    /** The slots of an event among these keys. */
    private static List<Slot> slots(List<EventListSql.Key> keys, UUID event) {
        return keys.stream()
                .filter(key -> key.event().equals(event))
                .map(key -> Optional.ofNullable(Slot.parse(key.slot())))
                .flatMap(Optional::stream)
                .toList();
    }
}
