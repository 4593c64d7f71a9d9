package dev.inboxd.platform.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database. Blocking, for virtual threads. A failed statement throws {@link DatabaseFailure}; a database that is
 * away or overloaded, a {@link Problem} with {@link ErrorCode#SERVICE_UNAVAILABLE}.
 */
public final class Database implements AutoCloseable {
    /** How many numbers of the organization's clock an ordinary change may use. */
    private static final int ORDINARY_NUMBERS = 512;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** What each connection is made with. */
    static final Map<String, String> OPTIONS = Map.of(
            "ApplicationName", "inboxd",
            "tcpKeepAlive", "true",
            // A silent host must not hold a connection longer than a statement may take (promise P15).
            "socketTimeout", "40",
            "connectTimeout", "5",
            // It tells the row that was refused, and what is in a row is not for a log.
            "logServerErrorDetail", "false",
            // Every statement finds its rows by key. A plan is made once for each connection, and must be right
            // although
            // the tables it was made for are still empty, when scanning and hashing whole tables looks cheapest.
            "options",
                    "-c lock_timeout=2000 -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000"
                            + " -c synchronous_commit=on -c jit=off -c TimeZone=UTC"
                            + " -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off"
                            + " -c enable_mergejoin=off");

    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private final Location location;
    private final HikariDataSource pool;
    private final Semaphore connections;
    private final OrganizationQueue queue = new OrganizationQueue();
    private final OrganizationTurns turns = new OrganizationTurns();
    private final @Nullable Supplier<Duration> skew;

    /**
     * Opens the pool; migrations have run before ({@link Migrations}).
     *
     * @param location where the database is
     * @param skew how far the clock is ahead of the database's, for tests that move time; null in the product
     */
    public Database(Location location, @Nullable Supplier<Duration> skew) {
        this.location = location;
        this.pool = new HikariDataSource(configuration(location));
        this.connections = new Semaphore(location.connections(), true);
        this.skew = skew;
    }

    /**
     * Where a PostgreSQL is.
     *
     * @param url a JDBC URL
     * @param user the role, or null when the URL carries it
     * @param password its password, or null when the URL carries it or none is needed
     * @param connections size of the pool
     */
    public record Location(
            String url, @Nullable String user, @Nullable String password, int connections) {
        @Override
        public String toString() {
            return "Location[***]";
        }
    }

    private static HikariConfig configuration(Location location) {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl(location.url());
        if (location.user() != null) {
            configuration.setUsername(location.user());
            configuration.setPassword(location.password());
        }
        configuration.setPoolName("inboxd");
        configuration.setMaximumPoolSize(location.connections());
        configuration.setMinimumIdle(location.connections());
        configuration.setConnectionTimeout(PATIENCE.toMillis());
        configuration.setInitializationFailTimeout(-1);
        configuration.addDataSourceProperty("prepareThreshold", "2");
        configuration.addDataSourceProperty("preparedStatementCacheQueries", "512");
        configuration.addDataSourceProperty("preparedStatementCacheSizeMiB", "8");
        OPTIONS.forEach(configuration::addDataSourceProperty);
        return configuration;
    }

    /**
     * Changes one organization: takes its clock row first, then runs the work, then commits durably.
     *
     * @return what the work returned; by then it is committed
     * @throws Problem what the work threw; nothing is kept then
     */
    public <T extends @Nullable Object> T write(UUID organization, Function<Tx, T> work) {
        return write(organization, ORDINARY_NUMBERS, (tx, opening) -> {
            opening.run();
            return work.apply(tx);
        });
    }

    /** As {@link #write(UUID, ClockReservation, BiFunction)}, for what adds nothing to what the organization keeps. */
    public <T extends @Nullable Object> T write(UUID organization, int numbers, BiFunction<Tx, RoundTrip, T> work) {
        return write(organization, ClockReservation.numbers(numbers), work);
    }

    /**
     * Changes one organization in as few round trips as possible. The opening round trip takes the clock row; the work
     * adds its look-ups to it, which then see everything committed before, and must run it before anything else.
     *
     * @param claim what the work may use of the organization; room is settled by the work
     * @see #write(UUID, Function)
     */
    public <T extends @Nullable Object> T write(
            UUID organization, ClockReservation claim, BiFunction<Tx, RoundTrip, T> work) {
        queue.enter(organization);
        try {
            return transact(false, tx -> {
                RoundTrip opening = tx.roundTrip();
                tx.clock(opening, organization, claim);
                return work.apply(tx, opening);
            });
        } finally {
            queue.leave(organization);
        }
    }

    /**
     * A change of one organization that can share a transaction with changes of others: every statement of it is by rows.
     */
    public interface Change {
        /** Adds the look-ups to the round trip that takes the clock. */
        void prefetch(RoundTrip opening);

        /** Adds the writing, decided from what the look-ups found. */
        void write(RoundTrip writes);

        /** What is left to do in the transaction after the writing, statement by statement, or null. */
        @Nullable
        Runnable rest();
    }

    /**
     * A change to come.
     *
     * @param claim what it may use of the organization
     * @param change makes it for its transaction
     */
    public record PlannedChange(UUID organization, ClockReservation claim, Function<Tx, Change> change) {}

    /**
     * Changes one organization in as few round trips as {@link #write(Collection)}, and waits for its clock.
     *
     * @throws Problem what the change threw; nothing is kept then
     */
    public void write(PlannedChange planned) {
        write(planned.organization, planned.claim, (tx, opening) -> {
            Change change = planned.change.apply(tx);
            change.prefetch(opening);
            opening.run();
            write(tx, change);
            return true;
        });
    }

    /**
     * Changes one organization unless another writer has its clock.
     *
     * @return whether it was changed
     * @throws Problem what the change threw; nothing is kept then
     */
    public boolean writeIfFree(PlannedChange planned) {
        return transact(false, tx -> {
            RoundTrip opening = tx.roundTrip();
            tx.clockIfFree(opening, planned.organization, planned.claim);
            Change change = planned.change.apply(tx);
            change.prefetch(opening);
            opening.run();
            if (tx.organizationExists()) {
                write(tx, change);
                return true;
            }
            return false;
        });
    }

    private static void write(Tx tx, Change change) {
        RoundTrip writes = tx.roundTrip();
        change.write(writes);
        Runnable rest = change.rest();
        if (rest == null) {
            writes.runAndCommit();
        } else {
            writes.run();
            rest.run();
        }
    }

    private record OpenTransaction(UUID organization, Tx tx, Change change) {}

    /**
     * Changes several organizations in one transaction, each at most once, in two round trips. Those whose clock another
     * writer has are left out, so that none waits for another.
     *
     * @return the organizations left out, of which nothing was changed
     * @throws Problem what one of the changes threw; nothing is kept of any then
     */
    public Set<UUID> write(Collection<PlannedChange> changes) {
        return transact(false, tx -> {
            List<OpenTransaction> all = new ArrayList<>();
            List<RoundTrip> openings = new ArrayList<>();
            for (PlannedChange planned : changes) {
                Tx own = tx.forOrganization();
                RoundTrip opening = own.roundTrip();
                own.clock(opening, planned.organization, planned.claim);
                OpenTransaction begun = new OpenTransaction(planned.organization, own, planned.change.apply(own));
                begun.change.prefetch(opening);
                all.add(begun);
                openings.add(opening);
            }
            CrossTenantRoundTrip together = tx.acrossTenants();
            together.run(openings, "");
            List<OpenTransaction> going =
                    all.stream().filter(begun -> begun.tx.organizationExists()).toList();
            List<RoundTrip> writes = new ArrayList<>();
            for (OpenTransaction begun : going) {
                RoundTrip own = begun.tx.roundTrip();
                begun.change.write(own);
                writes.add(own);
                tx.afterCommit(begun.tx::committed);
            }
            List<Runnable> rest = going.stream()
                    .map(begun -> begun.change.rest())
                    .filter(Objects::nonNull)
                    .toList();
            together.run(writes, rest.isEmpty() ? "commit" : "");
            rest.forEach(Runnable::run);
            Set<UUID> left =
                    all.stream().map(OpenTransaction::organization).collect(Collectors.toCollection(HashSet::new));
            going.forEach(begun -> left.remove(begun.organization));
            return left;
        });
    }

    /** Reads; one statement sees one moment, several may see several. */
    public <T extends @Nullable Object> T read(Function<Tx, T> work) {
        return transact(true, work);
    }

    /**
     * Changes what no organization's clock orders: global tables, an organization that is being made, whose clock row does
     * not exist yet, and rows that nobody but the caller sees.
     */
    public <T extends @Nullable Object> T writeGlobal(Function<Tx, T> work) {
        return transact(false, work);
    }

    /** What the joint writes of this database take turns by. */
    OrganizationTurns turns() {
        return turns;
    }

    Location location() {
        return location;
    }

    /** Whether the database answers now. */
    public boolean isReachable() {
        try {
            return read(tx -> tx.sql("select 1 as one").one(row -> row.integer("one") == 1));
        } catch (Problem | DatabaseFailure away) {
            return false;
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    static Problem busy() {
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The database is busy or away")
                .retryAfter(Duration.ofSeconds(1));
    }

    private <T extends @Nullable Object> T transact(boolean readOnly, Function<Tx, T> work) {
        acquire();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(readOnly);
            Tx tx = new Tx(connection, skew == null ? null : skew.get());
            T result = readOnly ? work.apply(tx) : committed(connection, tx, work);
            tx.committed();
            return result;
        } catch (SQLException away) {
            throw busy();
        } catch (DatabaseFailure failure) {
            if (!failure.isTransient()) {
                throw failure;
            }
            LOG.warn("A transaction did not come to its end: {}", failure.getMessage());
            throw busy();
        } finally {
            connections.release();
        }
    }

    private static <T extends @Nullable Object> T committed(Connection connection, Tx tx, Function<Tx, T> work)
            throws SQLException {
        try {
            T result = work.apply(tx);
            connection.commit();
            return result;
        } catch (RuntimeException | Error failure) {
            connection.rollback();
            throw failure;
        }
    }

    /** The fair queue in front of the pool, whose own is not. */
    private void acquire() {
        try {
            if (connections.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        throw busy();
    }
}
