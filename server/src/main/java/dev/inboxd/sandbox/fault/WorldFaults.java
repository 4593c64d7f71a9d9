package dev.inboxd.sandbox.fault;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.time.MovableClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The faults of all organizations, as this process knows them: where there is none, nothing is asked of the database.
 * What is counted is counted there, so that any number of processes meet it exactly as often as was asked for.
 */
public final class WorldFaults {
    private static final String CHANNEL = "inboxd_faults";

    private final Database database;
    private final InstantSource real;
    private volatile Map<UUID, List<WorldFault>> byOrganization = Map.of();

    /** The faults of a database; none are known before {@link #follow}. */
    public WorldFaults(Database database, InstantSource clock) {
        this.database = database;
        this.real = MovableClock.real(clock);
    }

    /** Reads the rows. */
    public synchronized void follow() {
        byOrganization =
                database.read(FaultSql::everywhere).stream().collect(Collectors.groupingBy(WorldFault::organization));
    }

    /** Hears of changes by other processes. */
    public void listen(Notifications notifications) {
        notifications.on(CHANNEL, new Notifications.Listener() {
            @Override
            public void notified(String word) {
                follow();
            }

            @Override
            public void listening() {
                follow();
            }
        });
    }

    /** Tells all processes of a change that is committed, this one first. */
    public void announce(UUID organization) {
        follow();
        database.runTransient(tx -> {
            changed(tx, organization);
        });
    }

    /** Tells all processes of a change, once it is committed. */
    void changed(Tx tx, UUID organization) {
        tx.signal(CHANNEL, organization.toString());
    }

    /** Whether the work of an organization waits, and its callers come again. */
    public boolean isBusy(UUID organization) {
        return meet(organization, FaultKind.DATABASE, _ -> true).isPresent();
    }

    boolean areNone(UUID organization) {
        return !byOrganization.containsKey(organization);
    }

    Instant realNow() {
        return real.instant();
    }

    /** The first fault of a kind that fits, which counts as met; the oldest is met first. */
    Optional<FaultTerms> meet(UUID organization, FaultKind kind, Predicate<FaultTerms> fits) {
        for (WorldFault fault : byOrganization.getOrDefault(organization, List.of())) {
            if (fault.terms().kind() == kind
                    && !fault.isOver(realNow())
                    && fits.test(fault.terms())
                    && isTaken(fault)) {
                return Optional.of(fault.terms());
            }
        }
        return Optional.empty();
    }

    private boolean isTaken(WorldFault fault) {
        if (fault.left() == null) {
            return true;
        }
        Optional<Integer> left =
                database.writeTransient(tx -> FaultSql.take(tx, View.of(fault.organization()), fault.id()));
        if (left.orElse(0) == 0) {
            follow();
        }
        return left.isPresent();
    }
}
