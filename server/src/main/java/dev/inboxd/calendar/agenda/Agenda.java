package dev.inboxd.calendar.agenda;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventJson;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.Era;
import dev.inboxd.calendar.series.EraSql;
import dev.inboxd.calendar.series.OverrideSql;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesDates;
import dev.inboxd.calendar.series.WholeEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What takes place in a window: single events, and the dates of series (calendar.md §3). */
public final class Agenda {
    /** How many series are read together. */
    private static final int TOGETHER = 100;
    /** Where in a cursor the place in the order begins, behind the window. */
    private static final int PLACE = 2;

    private static final int STATE = 4;

    private final Database database;

    public Agenda(Database database) {
        this.database = database;
    }

    /**
     * Something that takes place.
     *
     * @param id by which equal starts are ordered
     * @param date null for a single event
     */
    private record Entry(
            Instant start, String id, UUID event, @Nullable SeriesDate date) {
        private static final Comparator<Entry> ORDER =
                Comparator.comparing(Entry::start).thenComparing(Entry::id);
    }

    /** A page of what takes place in a window, by its start. */
    Slice<JsonObject> page(View view, AgendaWindow window, PageRequest page) {
        return database.read(tx -> {
            List<Entry> entries = new ArrayList<>();
            List<UUID> series = new ArrayList<>();
            for (AgendaSql.Candidate candidate : AgendaSql.candidates(tx, view, window)) {
                if (candidate.hasDates()) {
                    series.add(candidate.event());
                } else if (!candidate.isCancelled() && window.holds(candidate.time())) {
                    add(
                            entries,
                            new Entry(
                                    candidate.time().startAt(),
                                    candidate.event().toString(),
                                    candidate.event(),
                                    null));
                }
            }
            for (int from = 0; from < series.size(); from += TOGETHER) {
                dates(tx, view, series.subList(from, Math.min(series.size(), from + TOGETHER)))
                        .forEach(wholeEvent -> expand(wholeEvent, window, entries));
            }
            return slice(tx, view, entries, new Place(window, page, List.of()));
        });
    }

    private static void add(List<Entry> entries, Entry entry) {
        if (entries.size() == AgendaWindow.MOST) {
            throw AgendaWindow.tooWide("The range has more than " + AgendaWindow.MOST + " dates");
        }
        entries.add(entry);
    }

    private static List<WholeEvent> dates(Tx tx, View view, List<UUID> ids) {
        Map<UUID, List<DateOverride>> edits = OverrideSql.small(tx, view, ids);
        List<WholeEvent> all = new ArrayList<>();
        for (CalendarEventSql.EventRow row : CalendarEventSql.find(tx, view, ids, false)) {
            CalendarEvent event = row.event();
            List<Era> eras = row.eras() == 0 ? List.of() : EraSql.list(tx, view, event.id(), List.of());
            SeriesDates dates = new SeriesDates(event, eras, edits.getOrDefault(event.id(), List.of()));
            all.add(new WholeEvent(event, eras, dates, Set.of()));
        }
        return all;
    }

    private static void expand(WholeEvent wholeEvent, AgendaWindow window, List<Entry> entries) {
        CalendarEvent event = wholeEvent.event();
        wholeEvent.dates().in(window.after(), window.before(), window.running(), date -> {
            if (!date.isCancelled()) {
                add(entries, new Entry(date.startAt(), date.id(), event.id(), date));
            }
        });
        if (wholeEvent.takesPlaceOnce() && window.holds(event.content().time())) {
            add(entries, new Entry(event.content().time().startAt(), event.id().toString(), event.id(), null));
        }
    }

    /** @param state what else the token of the next page is bound to */
    private record Place(AgendaWindow window, PageRequest page, List<Object> state) {
        Cursor cursor(Entry last) {
            List<Object> keys = new ArrayList<>(List.of(window.after(), window.before(), last.start, last.id));
            keys.addAll(state);
            return Cursor.of(keys.toArray());
        }
    }

    private static Slice<JsonObject> slice(Tx tx, View view, List<Entry> entries, Place place) {
        entries.sort(Entry.ORDER);
        PageRequest page = place.page;
        Cursor after = page.after();
        int from = 0;
        if (after != null) {
            Entry last = new Entry(after.instant(PLACE), after.text(PLACE + 1), new UUID(0, 0), null);
            while (from < entries.size() && Entry.ORDER.compare(entries.get(from), last) <= 0) {
                from++;
            }
        }
        List<Entry> shown = entries.subList(from, Math.min(entries.size(), from + page.limit()));
        Map<UUID, CalendarEvent> singles = new HashMap<>();
        CalendarEventSql.find(
                        tx,
                        view,
                        shown.stream()
                                .filter(entry -> entry.date == null)
                                .map(Entry::event)
                                .toList(),
                        false)
                .forEach(row -> singles.put(row.event().id(), row.event()));
        List<JsonObject> items = new ArrayList<>();
        for (Entry entry : shown) {
            CalendarEvent single = singles.get(entry.event);
            if (entry.date != null) {
                items.add(CalendarEventJson.of(entry.date, CalendarEventJson.Form.ITEM));
            } else if (single != null) {
                items.add(CalendarEventJson.of(single, CalendarEventJson.Form.ITEM));
            }
        }
        boolean more = from + page.limit() < entries.size();
        return new Slice<>(items, more ? place.cursor(shown.getLast()) : null);
    }

    /**
     * A page of the dates of a series in a window, by their start.
     *
     * @throws Problem {@code not_found}, {@code validation_error} for an event that is no series,
     *     {@code page_token_stale} when the series changed since the page before
     */
    Slice<JsonObject> instances(View view, UUID id, AgendaWindow window, PageRequest page) {
        return database.read(tx -> {
            WholeEvent wholeEvent =
                    dates(tx, view, List.of(id)).stream().findFirst().orElseThrow(DatedId::missing);
            CalendarEvent series = wholeEvent.event();
            if (!series.content().isSeries()) {
                throw Problem.invalid("event_id", "The event takes place once; only a series has instances");
            }
            List<Object> state =
                    List.of(series.version().revision(), series.version().counter());
            Cursor after = page.after();
            if (after != null
                    && (after.number(STATE) != series.version().revision()
                            || after.number(STATE + 1) != series.version().counter())) {
                throw Problem.of(ErrorCode.PAGE_TOKEN_STALE, "The series was changed since the page before");
            }
            List<Entry> entries = new ArrayList<>();
            expand(wholeEvent, window, entries);
            return slice(tx, view, entries, new Place(window, page, state));
        });
    }
}
