package dev.inboxd.observe.metric;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Adds the events of the log up to running totals, in the order of the log. */
public final class MetricRollup implements Inboxes.DeletionHook {
    private static final Duration PAUSE = Duration.ofSeconds(20);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int SLICE = 2_000;
    /** Organizations that this node adds up at a time. */
    private static final int AT_ONCE = 2;

    private final Database database;
    private final DueWork due;

    /**
     * The totals of a database.
     *
     * @param due finds organizations with new events, once it is started
     */
    public MetricRollup(Database database, DueWork due) {
        this.database = database;
        this.due = due;
        due.add(new WorkKind("metrics", MetricSql.NEXT, WorkKind.Pace.patient(PAUSE, AT_ONCE), this::addUpAll));
    }

    /** Records the deletion of an inbox, whose messages are subtracted from its pod and its organization. */
    @Override
    public void deleted(Tx tx, UUID organization, UUID inbox) {
        Tx.Stamp stamp = tx.next();
        tx.sql(View.of(organization), """
                insert into departure (organization_id, seq, kind, thing_id, pod_id, made_at, at)
                select i.organization_id, :seq, 'inbox', i.inbox_id::text, i.pod_id, i.created_at, :at
                from inbox i where {i} and i.inbox_id = :inbox""")
                .bind("seq", stamp.number())
                .bind("at", stamp.at())
                .bind("inbox", inbox)
                .run();
    }

    /** Records the deletion of a pod, which is empty. */
    public void podDeleted(Tx tx, UUID organization, UUID pod) {
        tx.sql(View.of(organization), "select p.created_at from pod p where {p} and p.pod_id = :pod")
                .bind("pod", pod)
                .first(row -> row.instant("created_at"))
                .ifPresent(createdAt -> recordRemoved(tx, organization, "pod", pod.toString(), pod, createdAt));
    }

    /**
     * Records the deletion of a pod or a domain, in the caller's transaction.
     *
     * @param kind {@code pod} or {@code domain}
     * @param pod the pod of the domain, or the pod itself
     */
    public static void recordRemoved(
            Tx tx, UUID organization, String kind, String resourceId, @Nullable UUID pod, Instant createdAt) {
        Tx.Stamp stamp = tx.next();
        tx.sql(
                        View.of(organization),
                        "insert into departure (organization_id, seq, kind, thing_id, pod_id, made_at, at)"
                                + " values ({organization}, :seq, :kind, :thing, :pod, :made, :at)")
                .bind("seq", stamp.number())
                .bind("kind", kind)
                .bind("thing", resourceId)
                .bind("pod", pod)
                .bind("made", createdAt)
                .bind("at", stamp.at())
                .run();
    }

    /**
     * Wraps a job that removes events of an inbox: adds them up first.
     *
     * @return a handler with the results of the wrapped job
     */
    public Jobs.Handler before(Jobs.Handler removal) {
        return (organization, subject) -> {
            catchUp(organization);
            return removal.run(organization, subject);
        };
    }

    /**
     * Brings an organization's totals up to date with all earlier commits.
     *
     * @throws Problem {@code service_unavailable} when that takes more than five seconds, as after an upgrade
     */
    void catchUp(UUID organization) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (addUp(organization)) {
            if (System.nanoTime() > end) {
                throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The metrics are still being added up")
                        .retryAfter(Duration.ofSeconds(10));
            }
        }
    }

    private void addUpAll(UUID organization) {
        boolean more = true;
        while (more && !due.isStopping()) {
            more = addUp(organization);
        }
    }

    /**
     * Events that were read and must be added up.
     *
     * @param to the sequence number up to which everything was read
     * @param isComplete whether these are all events of the organization
     * @param removed an inbox that was deleted at that number, or null
     */
    private record Span(
            long from,
            long to,
            boolean isComplete,
            List<MetricSql.Line> lines,
            MetricSql.@Nullable RemovedResource removed) {
        Span {
            lines = List.copyOf(lines);
        }
    }

    /**
     * Adds a slice of events up; returns whether there are more. Events are read before the organization's clock is
     * taken, since they never change.
     */
    private boolean addUp(UUID organization) {
        View all = View.of(organization);
        Span span = database.read(tx -> read(tx, all));
        if (span == null) {
            return false;
        }
        CounterTotals held = CounterTotals.none();
        List<MetricSql.Sum> sums = database.read(tx -> sums(tx, all, span, held));
        // Takes no sequence number: the search index, which follows the clock, would react to it, and this task to the
        // index.
        return database.write(organization, 0, (tx, opening) -> {
            opening.run();
            // A node that was faster has written the same totals.
            boolean isComplete =
                    span.isComplete && span.to == MetricSql.progress(tx, all).clock();
            if (MetricSql.advance(tx, all, span.from, span.to, isComplete)) {
                RoundTrip trip = tx.roundTrip();
                MetricSql.put(trip, all, sums);
                trip.run();
                if (span.removed != null) {
                    MetricSql.subtractRemoved(tx, all, span.removed, held);
                }
            }
            return !span.isComplete;
        });
    }

    private static @Nullable Span read(Tx tx, View all) {
        MetricSql.Progress progress = MetricSql.progress(tx, all);
        if (progress.seq() >= progress.clock()) {
            return null;
        }
        Optional<MetricSql.RemovedResource> removed = MetricSql.nextInbox(tx, all, progress.seq(), progress.clock());
        long end = removed.map(MetricSql.RemovedResource::seq).orElse(progress.clock());
        List<MetricSql.Line> lines = MetricSql.lines(tx, all, progress.seq(), end, SLICE);
        return lines.size() == SLICE
                ? new Span(progress.seq(), lines.getLast().seq(), false, lines, null)
                : new Span(progress.seq(), end, removed.isEmpty(), lines, removed.orElse(null));
    }

    /**
     * @param held receives the totals of an inbox that was deleted
     */
    private static List<MetricSql.Sum> sums(Tx tx, View all, Span span, CounterTotals held) {
        Set<UUID> inboxes = new HashSet<>();
        span.lines.forEach(line -> addIfThere(inboxes, line.inbox()));
        Set<UUID> departed = Set.copyOf(MetricSql.removedInboxes(tx, all, inboxes, span.from));
        Map<UUID, Map<Instant, CounterTotals>> changes = new HashMap<>();
        for (MetricSql.Line line : span.lines) {
            // The totals of a deleted inbox were subtracted with it. Removals of its messages after that must not count
            // twice.
            boolean late = line.inbox() != null && departed.contains(line.inbox());
            for (UUID scope : scopes(all, line.pod(), line.inbox())) {
                CounterTotals change = change(changes, scope, line.at());
                change.count(line);
                if (!late) {
                    change.use(line);
                }
            }
        }
        Map<UUID, CounterTotals> totals = MetricSql.newest(tx, all, scopesOf(all, changes.keySet(), span.removed));
        List<MetricSql.Sum> sums = new ArrayList<>();
        changes.forEach((scope, minutes) -> {
            CounterTotals total = totals.computeIfAbsent(scope, _ -> CounterTotals.none());
            minutes.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(minute -> {
                total.add(minute.getValue());
                sums.add(new MetricSql.Sum(scope, minute.getKey(), total.copy()));
            });
        });
        MetricSql.RemovedResource removed = span.removed;
        if (removed != null) {
            held.add(totals.getOrDefault(UUID.fromString(removed.resourceId()), CounterTotals.none()));
            for (UUID scope : scopes(all, removed.pod(), null)) {
                CounterTotals total = totals.computeIfAbsent(scope, _ -> CounterTotals.none());
                CounterType.USAGE.forEach(kind -> total.add(kind, -held.get(kind)));
                Instant minute = removed.at().truncatedTo(ChronoUnit.MINUTES);
                sums.removeIf(sum -> sum.scope().equals(scope) && sum.minute().equals(minute));
                sums.add(new MetricSql.Sum(scope, minute, total.copy()));
            }
        }
        return sums;
    }

    private static CounterTotals change(Map<UUID, Map<Instant, CounterTotals>> changes, UUID scope, Instant at) {
        return changes.computeIfAbsent(scope, _ -> new HashMap<>())
                .computeIfAbsent(at.truncatedTo(ChronoUnit.MINUTES), _ -> CounterTotals.none());
    }

    private static Set<UUID> scopesOf(View all, Set<UUID> changed, MetricSql.@Nullable RemovedResource removed) {
        Set<UUID> scopes = new HashSet<>(changed);
        if (removed != null) {
            scopes.addAll(scopes(all, removed.pod(), UUID.fromString(removed.resourceId())));
        }
        return scopes;
    }

    /** The scopes of an event: the organization, its pod, and its inbox. */
    private static Set<UUID> scopes(View all, @Nullable UUID pod, @Nullable UUID inbox) {
        Set<UUID> scopes = new HashSet<>();
        scopes.add(all.organization());
        addIfThere(scopes, pod);
        addIfThere(scopes, inbox);
        return scopes;
    }

    private static void addIfThere(Set<UUID> ids, @Nullable UUID id) {
        if (id != null) {
            ids.add(id);
        }
    }
}
