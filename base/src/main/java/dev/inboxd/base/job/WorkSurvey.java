package dev.inboxd.base.job;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What of all work waits at a moment, of all organizations and on any node, and when the next is due. */
public final class WorkSurvey {
    /** A row of due work that was left alone for a while may be due before it says so. */
    private static final Duration RESTING = Duration.ofSeconds(30);

    private static final int MOST = 10_000;

    private final Database database;
    private final List<WorkKind> kinds;
    private final WorkTasks tasks;
    private final TakeOver takeOver;

    WorkSurvey(Database database, List<WorkKind> kinds, WorkTasks tasks, TakeOver takeOver) {
        this.database = database;
        this.kinds = kinds;
        this.tasks = tasks;
        this.takeOver = takeOver;
    }

    /** Work of one kind of an organization. */
    public record Slot(String kind, UUID organization) {}

    /**
     * What was found.
     *
     * @param due what is due and not begun
     * @param begun what is being done, with the number of its claims
     * @param next when the next is due; null: nothing by the time that was asked for
     */
    public record Finding(
            Map<Slot, Instant> due,
            Map<Slot, Integer> begun,
            @Nullable Instant next) {
        /** Everything that waits, with its number. */
        public Map<Slot, Integer> waiting() {
            Map<Slot, Integer> all = new HashMap<>(begun);
            due.keySet().forEach(slot -> all.merge(slot, 1, Integer::sum));
            return all;
        }
    }

    /**
     * Looks.
     *
     * @param now what the clock shows
     * @param until up to when the next work counts
     * @param patient whether work that waits for nobody counts, as the index of the search
     */
    public Finding scan(Instant now, Instant until, boolean patient) {
        Map<Slot, Integer> begun = new HashMap<>();
        tasks.forEachRunning((kind, organization) -> {
            if (database.gate().isOpen(organization) && (patient || !kind.pace().isPatient())) {
                begun.put(new Slot(kind.name(), organization), 1);
            }
        });
        for (ClaimedRows rows : takeOver.rows()) {
            database.read(rows::counts)
                    .forEach((organization, count) -> begun.put(new Slot(rows.kind(), organization), count));
        }
        Map<Slot, Instant> due = new HashMap<>();
        Instant next = null;
        String question = DueWorkSql.next(kinds);
        Instant soon = now.plus(RESTING);
        Map<UUID, Instant> organizations =
                database.read(tx -> DueWorkSql.organizations(tx, now, until.isBefore(soon) ? soon : until, MOST));
        for (Map.Entry<UUID, Instant> entry : organizations.entrySet()) {
            if (next != null
                    && entry.getValue().isAfter(next)
                    && entry.getValue().isAfter(soon)) {
                break; // nor has any organization behind it anything earlier
            }
            if (database.gate().isOpen(entry.getKey())) {
                Instant first = ask(entry.getKey(), question, patient, due);
                next = first == null || (next != null && next.isBefore(first)) ? next : first;
            }
        }
        return new Finding(due, begun, next == null || next.isAfter(until) ? null : next);
    }

    /** Asks what of an organization is due, and when the next is. */
    private @Nullable Instant ask(UUID organization, String question, boolean patient, Map<Slot, Instant> due) {
        List<DueWorkSql.Dues> allDues = database.read(tx -> {
            RoundTrip trip = tx.roundTrip();
            RoundTrip.Result<DueWorkSql.Dues> dues = DueWorkSql.next(trip, View.of(organization), question, kinds);
            trip.run();
            return dues.rows();
        });
        Instant next = null;
        for (DueWorkSql.Dues dues : allDues) {
            for (WorkKind kind : kinds) {
                Instant at = dues.next().get(kind.name());
                if (at == null || kind.worker().isHeld()) {
                    continue;
                }
                if (at.isAfter(dues.at())) {
                    next = next == null || at.isBefore(next) ? at : next;
                } else if (patient || !kind.pace().isPatient()) {
                    due.put(new Slot(kind.name(), organization), at);
                }
            }
        }
        return next;
    }

    /** Takes up on this node what is due. */
    public void take(Finding finding) {
        for (WorkKind kind : kinds) {
            finding.due.keySet().stream()
                    .filter(slot -> slot.kind.equals(kind.name()) && !tasks.isRunning(kind, slot.organization))
                    .forEach(slot -> tasks.run(kind, slot.organization, false));
        }
    }

    /** Prolongs the leases of what is being done, which lasts by real time, before the clock passes their ends. */
    public void extend(Finding finding, Instant until) {
        for (ClaimedRows rows : takeOver.rows()) {
            finding.begun.keySet().stream()
                    .filter(slot ->
                            slot.kind.equals(rows.kind()) && database.gate().refusal(slot.organization) == null)
                    .forEach(slot -> database.run(slot.organization, 0, (tx, opening) -> {
                        opening.run();
                        rows.extend(tx, View.of(slot.organization), until);
                    }));
        }
    }
}
