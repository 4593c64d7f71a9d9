package dev.inboxd.calendar.feed;

import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.Era;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceSection;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event as a feed has it (calendar.md §10): VEVENTs that every program reads alike. No program reads an edit that
 * later dates have as well, or what a series was once. So each stretch of a series that was one thing is an event of
 * its own, with its own UID.
 */
final class FeedComponents {
    /** No date lasts longer; a little more for what zones do. */
    private static final Duration LONGEST = Duration.ofDays(33);

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final WholeEvent wholeEvent;
    private final CalendarEvent event;
    private final AgendaWindow window;
    private final List<Part> parts = new ArrayList<>();
    private final List<EventComponent> components = new ArrayList<>();

    private FeedComponents(WholeEvent wholeEvent, AgendaWindow window) {
        this.wholeEvent = wholeEvent;
        this.event = wholeEvent.event();
        this.window = window;
    }

    /**
     * The components of an event; none when nothing of it takes place in a window.
     *
     * @param wholeEvent with the eras that reach into the window, and everything that a feed shows
     */
    static List<EventComponent> of(WholeEvent wholeEvent, AgendaWindow window) {
        return new FeedComponents(wholeEvent, window).all();
    }

    private List<EventComponent> all() {
        EventContent content = event.content();
        boolean once = wholeEvent.hasDates() ? wholeEvent.takesPlaceOnce() : !content.isCancelled();
        if (once && window.holds(content.time())) {
            String date = event.origin().recurrenceId();
            String uid = event.origin().uid() + (date.isEmpty() ? "" : "/" + date);
            components.add(component(uid, content, EventComponent.Schedule.once(content.time())));
        }
        Instant from = wholeEvent.eras().isEmpty() ? null : window.after();
        for (Era era : wholeEvent.eras()) {
            add(new Stretch(era.content(), from, era.until()), "/until-" + STAMP.format(era.until()));
            from = era.until();
        }
        add(new Stretch(content, from, null), "");
        wholeEvent.dates().alone().keySet().stream()
                .sorted(Comparator.comparing(Slot::toString))
                .forEach(slot -> wholeEvent.dates().at(slot).ifPresent(this::add));
        parts.forEach(part -> components.addAll(part.components()));
        return components;
    }

    /**
     * What the series was for some time.
     *
     * @param from the first start in it, or null
     * @param until the first start behind it, or null
     */
    private record Stretch(
            EventContent content,
            @Nullable Instant from,
            @Nullable Instant until) {
        @Nullable
        LocalDateTime wall(@Nullable Instant at) {
            EventTime time = content.time();
            return at == null
                    ? null
                    : RecurrenceSection.notBefore(LocalDateTime.ofInstant(at, time.zone()), time.allDay());
        }

        boolean holds(Instant start) {
            return (from == null || !start.isBefore(from)) && (until == null || start.isBefore(until));
        }
    }

    /**
     * The dates of a stretch from one edit of later dates to the next.
     *
     * @param begin the first nominal start, or null
     * @param end the first behind it, or null
     */
    private record Bounds(
            @Nullable LocalDateTime begin, @Nullable LocalDateTime end) {
        boolean hold(LocalDateTime start) {
            return (begin == null || !start.isBefore(begin)) && (end == null || start.isBefore(end));
        }
    }

    private void add(Stretch stretch, String name) {
        if (stretch.content.recurrence() == null) {
            return;
        }
        Recurrence series = stretch.content.recurrence().dates(stretch.content.time());
        LocalDateTime begin = stretch.wall(stretch.from);
        LocalDateTime end = stretch.wall(stretch.until);
        DateFields fields = DateFields.NONE;
        String uid = event.origin().uid() + name;
        for (Map.Entry<LocalDateTime, DateOverride> edit :
                wholeEvent.dates().following().entrySet()) {
            LocalDateTime cut = edit.getKey();
            if (end != null && !cut.isBefore(end)) {
                break;
            }
            if (begin == null || cut.isAfter(begin)) {
                add(new Part(stretch, new Bounds(begin, cut), fields, uid), series);
                begin = cut;
                uid = event.origin().uid() + name + "/from-" + edit.getValue().slot();
            }
            fields = fields.with(edit.getValue().fields());
        }
        add(new Part(stretch, new Bounds(begin, end), fields, uid), series);
    }

    private void add(Part part, Recurrence series) {
        LocalDateTime end = part.bounds.end;
        boolean isOver = end != null
                && end.atZone(part.stretch.content.time().zone())
                        .toInstant()
                        .plus(LONGEST)
                        .isBefore(window.after());
        RecurrenceSection section = isOver
                ? null
                : RecurrenceSection.of(series, part.bounds.begin, end).orElse(null);
        if (section != null && section.first().startAt().isBefore(window.before()) && part.show(section)) {
            parts.add(part);
        }
    }

    /** An edited date is one of its part, or an event of its own where no part makes it. */
    private void add(SeriesDate date) {
        boolean isKept = date.own() != null && date.own().pinned();
        Part part = parts.stream()
                .filter(candidate -> candidate.holds(date) && (!isKept || candidate.makes(date.slot())))
                .findFirst()
                .orElse(null);
        if (part != null) {
            part.add(date);
        } else if (!date.isCancelled() && date.isIn(window.after(), window.before(), true)) {
            components.add(component(event.origin().uid() + "/" + date.slot(), date, null));
        }
    }

    private EventComponent component(String uid, SeriesDate date, @Nullable EventTime recurrenceId) {
        EventComponent.Identity identity =
                new EventComponent.Identity(uid, date.sequence(), date.updatedAt(), recurrenceId);
        return component(
                identity,
                date.content(),
                EventComponent.Schedule.once(date.content().time()));
    }

    private EventComponent component(String uid, EventContent content, EventComponent.Schedule schedule) {
        EventVersion version = event.version();
        return component(
                new EventComponent.Identity(uid, version.sequence(), version.updatedAt(), null), content, schedule);
    }

    private EventComponent component(
            EventComponent.Identity identity, EventContent content, EventComponent.Schedule schedule) {
        return new EventComponent(
                identity,
                schedule,
                EventComponents.words(content),
                new EventComponent.Person(event.origin().organizer(), null),
                List.of());
    }

    /** Dates that are written together, with one rule. */
    private final class Part {
        private final Stretch stretch;
        private final Bounds bounds;
        private final DateFields fields;
        private final String uid;
        private final Set<LocalDateTime> exdates = new HashSet<>();
        private final List<EventComponent> edited = new ArrayList<>();
        private final Set<LocalDateTime> named = new HashSet<>();
        private @Nullable RecurrenceSection section;

        Part(Stretch stretch, Bounds bounds, DateFields fields, String uid) {
            this.stretch = stretch;
            this.bounds = bounds;
            this.fields = fields;
            this.uid = uid;
        }

        /** Sets its dates; false when they are cancelled. */
        boolean show(RecurrenceSection dates) {
            section = dates;
            exdates.addAll(dates.exdates());
            return !content(dates.first()).isCancelled();
        }

        private EventContent content(EventTime time) {
            return fields.over(stretch.content.with((EventRecurrence) null).with(time));
        }

        boolean holds(SeriesDate date) {
            return bounds.hold(date.slot().at())
                    && stretch.holds(date.original().startAt());
        }

        boolean makes(Slot slot) {
            return section != null && section.makes(slot);
        }

        void add(SeriesDate date) {
            LocalDateTime slot = date.slot().at();
            named.add(slot);
            if (date.isCancelled()) {
                exdates.add(slot);
            } else {
                edited.add(component(uid, date, named(slot)));
            }
        }

        /** A date of the part, as the part has it. */
        private EventTime named(LocalDateTime start) {
            return content(Objects.requireNonNull(section).first()).time().at(start);
        }

        List<EventComponent> components() {
            List<EventComponent> all = new ArrayList<>();
            RecurrenceSection dates = section;
            if (dates != null) {
                EventContent first = content(dates.first());
                List<Recurrence.AddedDate> plain = dates.rdates().stream()
                        .map(date -> new Recurrence.AddedDate(date.start(), null))
                        .toList();
                EventComponent.Schedule schedule = new EventComponent.Schedule(
                        first.time(),
                        dates.rule() == null ? null : dates.rule().text(),
                        exdates.stream().sorted().toList(),
                        plain);
                all.add(component(uid, first, schedule));
                dates.rdates().forEach(date -> addOwnTime(all, date));
            }
            all.addAll(edited);
            return all;
        }

        /** Few programs read a further date with its end: it is written like one that was edited. */
        private void addOwnTime(List<EventComponent> all, Recurrence.AddedDate date) {
            LocalDateTime start = date.start();
            if (date.time() != null && !exdates.contains(start) && named.add(start)) {
                EventContent own = content(date.time());
                all.add(component(
                        new EventComponent.Identity(
                                uid, event.version().sequence(), event.version().updatedAt(), named(start)),
                        own,
                        EventComponent.Schedule.once(own.time())));
            }
        }
    }
}
