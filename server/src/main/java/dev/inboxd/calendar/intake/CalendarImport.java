package dev.inboxd.calendar.intake;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventSource;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.event.CalendarEvents;
import dev.inboxd.calendar.event.DateUpdates;
import dev.inboxd.calendar.event.EventWrites;
import dev.inboxd.calendar.series.BoundarySql;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.calendar.ReadResult;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Slot;
import dev.inboxd.tenant.inbox.Inbox;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a calendar in mail does to the calendar of an inbox (calendar.md §7, RFC 5546). Whatever it says that does not
 * fit changes nothing.
 */
public final class CalendarImport {
    private final Tx tx;
    private final View view;
    private final Inbox inbox;
    private final CalendarLog log;
    private final Mail mail;

    /**
     * A calendar that came by mail.
     *
     * @param author whose word it is, for certain
     * @param message the public id of the message
     */
    public record Mail(String author, String message, ReadResult.Calendar calendar) {}

    /**
     * The calendar that takes it in, in the caller's transaction.
     *
     * @param tx of the organization, with a number of its clock for each event in the mail
     * @param view narrowed to the inbox
     */
    public record Target(Tx tx, View view, Inbox inbox) {}

    /** Takes a calendar in; {@link #run} does it. */
    public CalendarImport(Target target, CalendarLog log, Mail mail) {
        this.tx = target.tx;
        this.view = target.view;
        this.inbox = target.inbox;
        this.log = log;
        this.mail = mail;
    }

    /** The zone of times that name none: that of the inbox's calendar. */
    public static ZoneId zone(Database database, View inbox) {
        return database.read(tx -> CalendarSql.get(tx, inbox)).zone();
    }

    /** The event or date that was made or changed, as in paths; null for none. */
    public @Nullable String run() {
        String method = mail.calendar.method();
        WholeEvent known = find().orElse(null);
        if (method == null) {
            return null;
        }
        return switch (method) {
            case "REQUEST" -> isOfOrganizer(known) ? request(known) : null;
            case "CANCEL" -> known != null && isOfOrganizer(known) ? cancel(known) : null;
            case "REPLY" ->
                known != null && known.event().origin().isOurs()
                        ? new ReplyImport(this::change, log, mail).run(known)
                        : null;
            default -> null;
        };
    }

    private Optional<WholeEvent> find() {
        return CalendarEventSql.find(tx, view, mail.calendar.uid())
                .map(row -> WholeEvent.whole(tx, view, row, List.of())
                        .raised(BoundarySql.list(tx, view, row.event().id())));
    }

    /** One change of its own, with a number and a time. */
    private CalendarTx change() {
        return new CalendarTx(tx, view, inbox, tx.next(), CalendarTx.Author.NONE);
    }

    /** Whether the author organizes all of it, and what is known is of that organizer too (ruling 66). */
    private boolean isOfOrganizer(@Nullable WholeEvent known) {
        CalendarEvent.Origin origin = known == null ? null : known.event().origin();
        return (origin == null || (!origin.isOurs() && isAuthor(origin.organizer())))
                && mail.calendar.events().stream()
                        .allMatch(event -> event.organizer() != null
                                && isAuthor(event.organizer().email()));
    }

    private boolean isAuthor(String address) {
        return mail.author.equalsIgnoreCase(address);
    }

    private @Nullable String request(@Nullable WholeEvent known) {
        ReadEvent base = base();
        List<ReadEvent> dates = dates();
        if (base == null) {
            return known == null ? oneDate(dates) : dates(known, dates, true);
        }
        if (known != null && !ImportedContent.isNewer(base, known.event())) {
            return dates(known, dates, false);
        }
        WholeEvent event = known == null ? created(base) : updated(known, base);
        if (event == null) {
            return null;
        }
        dates(event, dates, false);
        return event.event().id().toString();
    }

    private @Nullable ReadEvent base() {
        return mail.calendar.events().stream()
                .filter(event -> event.recurrenceId() == null)
                .findFirst()
                .orElse(null);
    }

    private List<ReadEvent> dates() {
        return mail.calendar.events().stream()
                .filter(event -> event.recurrenceId() != null)
                .toList();
    }

    /** A date of a series that is not known is an event of its own. */
    private @Nullable String oneDate(List<ReadEvent> dates) {
        WholeEvent made = dates.size() == 1 ? created(dates.getFirst()) : null;
        return made == null ? null : made.event().id().toString();
    }

    private @Nullable WholeEvent created(ReadEvent event) {
        EventContent content = ImportedContent.of(event, inbox.address(), null);
        if (content == null || CalendarSql.get(tx, view).events() >= CalendarEvents.MOST) {
            return null;
        }
        CalendarTx change = change();
        UUID id = Uuid7.next();
        CalendarEvent stored = new CalendarEvent(
                id,
                new CalendarEvent.Place(view.organization(), inbox.pod(), inbox.id()),
                new CalendarEvent.Origin(
                        event.uid(), EventSource.EMAIL, mail.author.toLowerCase(Locale.ROOT), mail.message),
                content,
                EventVersion.first(change.operation(), change.now()).sequence(event.sequence()),
                new CalendarEvent.MailState(List.of(), null, ImportedContent.stamp(event)),
                change.author());
        EventWrites.insert(change, stored);
        log.add(change, EventType.CALENDAR_EVENT_CREATED, stored, null);
        return WholeEvent.of(stored);
    }

    private @Nullable WholeEvent updated(WholeEvent known, ReadEvent event) {
        EventContent before = known.event().content();
        EventContent after =
                ImportedContent.of(event, inbox.address(), before.words().metadata());
        return after == null ? null : stored(known, after, event);
    }

    private WholeEvent stored(WholeEvent known, EventContent after, ReadEvent event) {
        CalendarTx change = change();
        CalendarEvent before = known.event();
        CalendarEvent changed = named(before)
                .with(
                        after,
                        before.version()
                                .changed(false, change.operation(), change.now())
                                .sequence(event.sequence()))
                .with(new CalendarEvent.MailState(List.of(), null, ImportedContent.stamp(event)));
        int eras = EventWrites.leavePast(change, known, after);
        WholeEvent whole = EventWrites.update(change, changed, eras, known.raised());
        log.add(change, EventType.CALENDAR_EVENT_UPDATED, changed, CalendarLog.previous(before.content(), after));
        return whole;
    }

    /** The same, last changed by this mail. */
    private CalendarEvent named(CalendarEvent event) {
        CalendarEvent.Origin origin = event.origin();
        return new CalendarEvent(
                event.id(),
                event.place(),
                new CalendarEvent.Origin(origin.uid(), origin.source(), origin.organizer(), mail.message),
                event.content(),
                event.version(),
                event.mail(),
                event.author());
    }

    private @Nullable String cancel(WholeEvent known) {
        ReadEvent base = base();
        if (base == null) {
            return dates(known, dates(), true);
        }
        EventContent before = known.event().content();
        if (!ImportedContent.isNewer(base, known.event()) || before.isCancelled()) {
            return null;
        }
        stored(known, before.with(EventStatus.CANCELLED), base);
        return known.event().id().toString();
    }

    /**
     * Changes dates of a series.
     *
     * @param told whether each of them is told of by itself
     * @return the date, or the series when there are several
     */
    private @Nullable String dates(WholeEvent known, List<ReadEvent> dates, boolean told) {
        WholeEvent series = known;
        String changed = null;
        for (ReadEvent date : dates) {
            Slot slot = slot(series.event(), date);
            if (slot == null) {
                continue;
            }
            WholeEvent whole = WholeEvent.require(tx, view, series.event().id(), List.of(slot));
            SeriesDate before = whole.dates().at(slot).orElse(null);
            if (before != null
                    && !before.place().removed()
                    && ImportedContent.isNewer(date, before)
                    && DateUpdates.hasRoom(whole, slot)) {
                boolean done = date(whole, before, date, told);
                changed = !done
                        ? changed
                        : changed == null ? before.id() : series.event().id().toString();
                series = whole;
            }
        }
        return changed;
    }

    private static @Nullable Slot slot(CalendarEvent series, ReadEvent date) {
        EventRecurrence recurrence = series.content().recurrence();
        EventTime name = Objects.requireNonNull(date.recurrenceId());
        return recurrence == null
                ? null
                : recurrence.dates(series.content().time()).named(name).orElse(null);
    }

    private boolean date(WholeEvent whole, SeriesDate before, ReadEvent date, boolean told) {
        boolean isCancelled = "CANCEL".equals(mail.calendar.method());
        EventContent content = isCancelled
                ? null
                : ImportedContent.of(
                        date, inbox.address(), before.content().words().metadata());
        if (!isCancelled && content == null) {
            return false;
        }
        CalendarTx change = change();
        DateFields fields = content == null ? ImportedContent.cancelled() : ImportedContent.fields(content);
        DateOverride own = before.own();
        Instant created = own == null ? change.now() : own.version().createdAt();
        DateOverride.Version version = new DateOverride.Version(
                date.sequence(), ImportedContent.stamp(date), change.operation(), created, change.now());
        DateUpdates.put(
                change,
                whole,
                new DateOverride(
                        before.slot(), false, DateUpdates.over(own, fields), own != null && own.kept(), version));
        CalendarEvent counted = named(whole.event())
                .with(whole.event().content(), whole.event().version().dateChanged(change.operation()));
        EventWrites.update(change, counted, whole.eras().size(), whole.raised());
        if (told) {
            SeriesDate after = DateUpdates.reloaded(change, before);
            boolean isFirst = own == null && !isCancelled && !after.isCancelled();
            log.add(change, isFirst ? EventType.CALENDAR_EVENT_CREATED : EventType.CALENDAR_EVENT_UPDATED, after);
        }
        return true;
    }
}
