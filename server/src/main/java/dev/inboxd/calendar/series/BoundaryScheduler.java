package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.Departures;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventType;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of the starts and ends of events (calendar.md §8). Each is a row and an event of the log in one transaction, so
 * that it is told once, on any number of nodes. What is due is decided by the time of the database, which no clock of a
 * node changes.
 */
public final class BoundaryScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BoundaryScheduler.class);
    /** What could not be told is looked at again after this time. */
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);

    /** While calendars are switched off. */
    private static final Duration DISABLED = Duration.ofHours(1);

    private static final int PAGE = 50;
    /** Starts and ends of one event that one transaction tells. */
    private static final int TOLD_AT_ONCE = 4;

    /** Organizations that this node tells of at a time. */
    private static final int AT_ONCE = 4;

    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);
    /** Any zone with rules: all of them are released together. */
    public static final ZoneId ANY = ZoneId.of("Europe/Berlin");

    private final Database database;
    private final CalendarLog log;
    private final @Nullable Departures departures;
    private volatile boolean stopping;

    /**
     * Tells of starts and ends.
     *
     * @param due finds them
     * @param departures what may leave: what is held stays due; null: none are told, and they are left as they are
     */
    public BoundaryScheduler(Database database, CalendarLog log, DueWork due, @Nullable Departures departures) {
        this.database = database;
        this.log = log;
        this.departures = departures;
        due.add(new WorkKind(
                "boundaries",
                BoundarySql.NEXT,
                WorkKind.Pace.of(departures == null ? DISABLED : RETRY_DELAY, AT_ONCE),
                departures == null ? _ -> {} : departures.worker(this::tellOrganization)));
    }

    /** Looks at the times that other rules of the zones gave. */
    public void start() {
        Thread.ofVirtual().name("calendar zones").start(this::reschedule);
    }

    @Override
    public void close() {
        stopping = true;
    }

    private void tellOrganization(UUID organization) {
        List<BoundarySql.DueEvent> page;
        do {
            page = database.read(tx -> BoundarySql.due(tx, View.of(organization), PAGE));
            for (BoundarySql.DueEvent due : page) {
                if (!isStopping(organization)) {
                    raise(due);
                }
            }
        } while (page.size() == PAGE && !isStopping(organization));
    }

    private boolean isStopping(UUID organization) {
        return stopping || departures == null || !departures.mayBegin(organization);
    }

    /** An event that cannot be told holds up no other, and is looked at again later. */
    private void raise(BoundarySql.DueEvent due) {
        UUID organization = due.inbox().organization();
        try {
            database.write(organization, tx -> {
                raise(tx, due);
                return null;
            });
        } catch (RuntimeException failure) {
            if (failure instanceof Problem problem && problem.code() == ErrorCode.NOT_FOUND) {
                LOG.debug("inbox deleted before a start or an end was told organization_id={}", organization);
                return;
            }
            LOG.warn("start or end postponed organization_id={} event={}", organization, due.event(), failure);
            database.write(organization, tx -> {
                Instant later = BoundarySql.dueNow(tx, due).orElse(null);
                if (later != null) {
                    BoundarySql.schedule(tx, View.of(organization), due.event(), later.plus(AFTER_FAILURE));
                }
                return null;
            });
        }
    }

    private void raise(Tx tx, BoundarySql.DueEvent due) {
        Optional<Instant> now = BoundarySql.dueNow(tx, due);
        if (now.isEmpty()) {
            return;
        }
        CalendarTx change = CalendarTx.begin(tx, due.inbox(), false);
        WholeEvent wholeEvent = WholeEvent.require(tx, due.inbox(), due.event(), List.of());
        BoundarySchedule.@Nullable Boundary next = BoundarySchedule.next(wholeEvent, now.get());
        for (int count = 0; count < TOLD_AT_ONCE && next != null && !next.at().isAfter(now.get()); count++) {
            CalendarTx ownChange =
                    count == 0 ? change : new CalendarTx(tx, change.view(), change.inbox(), tx.next(), change.author());
            if (BoundarySql.insert(tx, wholeEvent.event(), next)) {
                log.appendBoundary(ownChange, type(next.which()), shown(tx, due, wholeEvent, next), next.at());
            }
            wholeEvent = wholeEvent.raised(with(wholeEvent.raised(), next));
            next = BoundarySchedule.next(wholeEvent, now.get());
        }
        CalendarEventSql.schedule(tx, change.all(), due.event(), BoundarySchedule.bounds(wholeEvent, now.get()));
    }

    private static Set<BoundarySchedule.Mark> with(
            Set<BoundarySchedule.Mark> raised, BoundarySchedule.Boundary boundary) {
        Set<BoundarySchedule.Mark> more = new HashSet<>(raised);
        more.add(new BoundarySchedule.Mark(boundary.slot(), boundary.which()));
        return more;
    }

    /** The event as it stands; a date is read again with its own words, which are large. */
    private static JsonObject shown(
            Tx tx, BoundarySql.DueEvent due, WholeEvent wholeEvent, BoundarySchedule.Boundary boundary) {
        SeriesDate date = boundary.date();
        if (date == null) {
            return CalendarEventJson.of(wholeEvent.event(), CalendarEventJson.Form.BOUNDARY);
        }
        SeriesDate full = WholeEvent.require(tx, due.inbox(), due.event(), List.of(date.slot()))
                .date(date.slot());
        return CalendarEventJson.of(full, CalendarEventJson.Form.BOUNDARY);
    }

    private static EventType type(BoundaryKind which) {
        return which == BoundaryKind.STARTING ? EventType.CALENDAR_EVENT_STARTING : EventType.CALENDAR_EVENT_ENDING;
    }

    /** A new release of the zones' rules moves instants, not wall times: what was computed by another is done again. */
    private void reschedule() {
        String version = BoundarySchedule.zoneVersion(ANY);
        try {
            database.read(tx -> BoundarySql.organizationsOfOtherZones(tx, version)).stream()
                    .takeWhile(_ -> !stopping)
                    .forEach(organization -> reschedule(View.of(organization), version));
        } catch (RuntimeException failure) {
            LOG.warn("calendar times of an earlier release of zones stay until the next start", failure);
        }
    }

    private void reschedule(View all, String version) {
        UUID last = new UUID(0, 0);
        List<BoundarySql.DueEvent> page;
        do {
            UUID after = last;
            page = database.read(tx -> BoundarySql.ofOtherZones(tx, all, version, after));
            for (BoundarySql.DueEvent due : page) {
                last = due.event();
                database.write(all.organization(), tx -> {
                    Instant now = tx.next().at();
                    CalendarEventSql.find(tx, due.inbox(), due.event()).ifPresent(row -> {
                        WholeEvent wholeEvent = WholeEvent.require(tx, due.inbox(), due.event(), List.of());
                        CalendarEventSql.schedule(tx, all, due.event(), BoundarySchedule.bounds(wholeEvent, now));
                    });
                    return null;
                });
            }
        } while (!page.isEmpty() && !stopping);
    }
}
