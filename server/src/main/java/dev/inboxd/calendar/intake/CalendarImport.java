package dev.inboxd.calendar.intake;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.EarlyCancelSql;
import dev.inboxd.calendar.series.SeriesParts;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.calendar.ReadResult;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a calendar in mail does to the calendar of an inbox (calendar.md §7, RFC 5546). Whatever it says that does not
 * fit changes nothing.
 */
public final class CalendarImport {
    private final ImportWrites writes;
    private final ImportWrites.Mail mail;
    private final SingleDates singles;
    private final SeriesDatesImport seriesDates;

    /** Takes a calendar in; {@link #run} does it. */
    public CalendarImport(ImportWrites.Target target, CalendarLog log, ImportWrites.Mail mail) {
        this.mail = mail;
        this.writes = new ImportWrites(target, log, mail);
        this.singles = new SingleDates(writes);
        this.seriesDates = new SeriesDatesImport(writes);
    }

    /** The zone of times that name none: that of the inbox's calendar. */
    public static ZoneId zone(Database database, View inbox) {
        return database.read(tx -> CalendarSql.get(tx, inbox)).zone();
    }

    /** How many changes a calendar may make: each of its events, and each that is known of them. */
    public static int numbers(Database database, View inbox, ReadResult.Calendar calendar) {
        int storedCount = database.read(tx -> CalendarEventSql.count(tx, inbox, calendar.uid()));
        return calendar.events().size() + 1 + Math.min(storedCount, SingleDates.MOST_KNOWN);
    }

    /** Takes it in. */
    public ImportOutcome run() {
        List<WholeEvent> storedEvents = stored(mail.calendar().uid());
        String method = mail.calendar().method();
        return switch (method == null ? "" : method) {
            case "REQUEST" -> isOfOrganizer(storedEvents) ? request(storedEvents) : notTheOrganizer();
            case "CANCEL" -> isOfOrganizer(storedEvents) ? cancel(storedEvents) : notTheOrganizer();
            case "REPLY" -> reply(storedEvents);
            default -> ImportOutcome.ignored(ImportOutcome.Reason.NOT_INVITED);
        };
    }

    private ImportOutcome reply(List<WholeEvent> storedEvents) {
        SeriesParts.Name part =
                storedEvents.isEmpty() ? SeriesParts.named(mail.calendar().uid()) : null;
        List<WholeEvent> answered = part == null ? storedEvents : stored(part.uid());
        return answered.size() == 1 && answered.getFirst().event().origin().isOurs()
                ? new ReplyImport(writes, part == null ? null : part.cut()).run(answered.getFirst())
                : ImportOutcome.ignored(ImportOutcome.Reason.NOT_INVITED);
    }

    private List<WholeEvent> stored(String uid) {
        List<WholeEvent> storedEvents = new ArrayList<>();
        CalendarEventSql.find(writes.tx(), writes.view(), uid)
                .forEach(row -> storedEvents.add(writes.require(row.event().id())));
        return storedEvents;
    }

    private static ImportOutcome notTheOrganizer() {
        return ImportOutcome.ignored(ImportOutcome.Reason.NOT_THE_ORGANIZER);
    }

    /** Whether the author organizes all of it, and what is known is of that organizer too (ruling 66). */
    private boolean isOfOrganizer(List<WholeEvent> storedEvents) {
        return storedEvents.stream()
                        .map(wholeEvent -> wholeEvent.event().origin())
                        .allMatch(origin -> !origin.isOurs() && writes.isAuthor(origin.organizer()))
                && mail.calendar().events().stream().allMatch(writes::isOrganizer);
    }

    private @Nullable ReadEvent base() {
        return mail.calendar().events().stream()
                .filter(event -> event.recurrenceId() == null)
                .findFirst()
                .orElse(null);
    }

    private List<ReadEvent> dates() {
        return mail.calendar().events().stream()
                .filter(event -> event.recurrenceId() != null)
                .toList();
    }

    /** The event itself; null where only dates of it are known. */
    private static @Nullable WholeEvent storedBase(List<WholeEvent> storedEvents) {
        return storedEvents.stream()
                .filter(wholeEvent -> wholeEvent.event().origin().recurrenceId().isEmpty())
                .findFirst()
                .orElse(null);
    }

    private ImportOutcome request(List<WholeEvent> storedEvents) {
        ReadEvent base = base();
        EarlyCancels cancels = new EarlyCancels(
                EarlyCancelSql.list(writes.tx(), writes.view(), mail.calendar().uid()), mail.author());
        List<ReadEvent> dates =
                dates().stream().filter(date -> !cancels.isCancelled(date)).toList();
        WholeEvent event = storedBase(storedEvents);
        if (base == null) {
            return event != null && event.hasDates()
                    ? seriesDates.run(event, dates, true)
                    : singles.run(storedEvents, dates);
        }
        if (cancels.isCancelled(base) || (event != null && !ImportedContent.isNewer(base, event.event()))) {
            return event == null || cancels.isCancelled(base)
                    ? ImportOutcome.ignored(ImportOutcome.Reason.OLDER)
                    : seriesDates.run(event, dates, false);
        }
        WholeEvent now = event == null ? writes.created(base) : updated(event, base);
        if (now == null) {
            return ImportOutcome.ignored(ImportedContent.reason(base));
        }
        now = singles.takeIn(now, storedEvents);
        seriesDates.cancel(now, cancels.dates(base));
        seriesDates.run(now, dates, false);
        return ImportOutcome.applied(now.event().id().toString());
    }

    private @Nullable WholeEvent updated(WholeEvent storedEvent, ReadEvent event) {
        EventContent after = ImportedContent.of(
                event, writes.inbox().address(), storedEvent.event().content());
        return after == null ? null : writes.stored(storedEvent, after, event);
    }

    private ImportOutcome cancel(List<WholeEvent> storedEvents) {
        ReadEvent base = base();
        WholeEvent event = storedBase(storedEvents);
        if (base == null && event != null && event.hasDates()) {
            return seriesDates.run(event, dates(), true);
        }
        ImportOutcome outcome =
                base == null ? singles.run(storedEvents, dates()) : singles.cancelAll(storedEvents, base);
        if (base != null && event == null) {
            EarlyCancelSql.put(
                    writes.change(), EarlyCancels.of(base, mail.author().toLowerCase(Locale.ROOT)));
        }
        return outcome;
    }
}
