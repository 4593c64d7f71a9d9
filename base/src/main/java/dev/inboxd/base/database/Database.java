package dev.inboxd.base.database;

import dev.inboxd.base.database.pool.ConnectionPool;
import dev.inboxd.base.database.pool.PoolSettings;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.time.ClockPosition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database. Blocking, for virtual threads. A failed statement throws {@link DatabaseFailure}; a database that is
 * away or overloaded, a {@link Problem} with {@link ErrorCode#SERVICE_UNAVAILABLE}.
 */
public final class Database implements AutoCloseable {
    /** How many numbers of the organization's clock an ordinary change may use. */
    private static final int ORDINARY_NUMBERS = 512;

    private final Location location;
    private final ConnectionPool pool;
    private final OrganizationQueue queue = new OrganizationQueue();
    private final OrganizationTurns turns = new OrganizationTurns();
    private final WriteGate gate = new WriteGate();
    private final ChangeLook changeLook = new ChangeLook();
    private final @Nullable Supplier<@Nullable ClockPosition> time;
    private final OuterTransaction.Places outers;
    private volatile @Nullable Boolean citus; // null: not asked yet

    /**
     * Opens the pool; migrations have run before.
     *
     * @param location where the database is
     * @param time how the clock differs from the database's, where it is moved; null in production
     */
    public Database(Location location, @Nullable Supplier<@Nullable ClockPosition> time) {
        this.location = location;
        this.pool = new ConnectionPool(
                PoolSettings.of(location.url(), location.user(), location.password(), location.connections()));
        this.outers = new OuterTransaction.Places(Math.max(1, location.connections() / 4));
        this.time = time;
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

    /**
     * Changes one organization in as few round trips as possible. The opening round trip takes the clock row; the work
     * adds its look-ups to it, which then see everything committed before, and must run it before anything else.
     *
     * @param numbers how many numbers of the organization's clock the work may use; it adds nothing to what is stored
     * @see #write(UUID, Function)
     */
    public <T extends @Nullable Object> T write(UUID organization, int numbers, BiFunction<Tx, RoundTrip, T> work) {
        return inTurn(organization, tx -> {
            RoundTrip opening = tx.roundTrip();
            tx.clock(opening, organization, ClockReservation.numbers(numbers));
            tx.schedules();
            T result = work.apply(tx, opening);
            tx.note();
            return result;
        });
    }

    /** As {@link #write(UUID, Function)}, of work without a result. */
    public void run(UUID organization, Consumer<Tx> work) {
        write(organization, tx -> execute(() -> work.accept(tx)));
    }

    /** As {@link #write(UUID, int, BiFunction)}, of work without a result. */
    public void run(UUID organization, int numbers, BiConsumer<Tx, RoundTrip> work) {
        write(organization, numbers, (tx, opening) -> execute(() -> work.accept(tx, opening)));
    }

    private static boolean execute(Runnable work) {
        work.run();
        return true;
    }

    /** Runs a transaction that waits for the organization's clock; that is the first lock it takes. */
    <T extends @Nullable Object> T inTurn(UUID organization, Function<Tx, T> work) {
        if (OuterTransaction.isOpen()) {
            return changed(work); // it has its turn
        }
        queue.enter(organization);
        try {
            return changed(tx -> {
                gate.require(organization);
                return work.apply(tx);
            });
        } finally {
            queue.leave(organization);
        }
    }

    /** Reads, or changes by one statement alone; one statement sees one moment, several may see several. */
    public <T extends @Nullable Object> T read(Function<Tx, T> work) {
        return transact(true, work);
    }

    /** As {@link #read}, of work without a result. */
    public void runReads(Consumer<Tx> work) {
        read(tx -> execute(() -> work.accept(tx)));
    }

    /**
     * Changes what no organization's clock orders: global tables, an organization that is being made, whose clock row
     * does not exist yet, and rows that nobody but the caller sees. Refused behind a move ({@link ErrorCode#MOVED}).
     */
    public <T extends @Nullable Object> T writeGlobal(Function<Tx, T> work) {
        return changed(tx -> OuterTransaction.isOpen() ? MoveFence.passed(tx, work) : MoveFence.committed(tx, work));
    }

    /** As {@link #writeGlobal}, of work without a result. */
    public void runGlobal(Consumer<Tx> work) {
        writeGlobal(tx -> execute(() -> work.accept(tx)));
    }

    /**
     * Changes what means something here and now alone, as signs of life and rates; also while nothing else is written.
     */
    public <T extends @Nullable Object> T writeTransient(Function<Tx, T> work) {
        return transactAlone(false, work);
    }

    /** As {@link #writeTransient}, of work without a result. */
    public void runTransient(Consumer<Tx> work) {
        writeTransient(tx -> execute(() -> work.accept(tx)));
    }

    /**
     * Runs work whose transactions of one organization, on this thread, join one outer transaction. What they wrote is
     * kept only when the work commits it. No network call may happen in it.
     *
     * @param organization the only one whose clock the work takes
     * @throws Problem what the work threw, {@code service_unavailable} when too many are open; nothing is kept then
     */
    public <T extends @Nullable Object> T outer(UUID organization, Function<OuterTransaction, T> work) {
        queue.enter(organization); // before a place is taken: those of one organization wait for each other
        try (OuterTransaction.Place _ = outers.enter()) {
            gate.require(organization);
            try (OuterTransaction outer = new OuterTransaction(pool.take(false))) {
                return outer.run(work);
            }
        } catch (DatabaseFailure failure) {
            throw failure.forCaller();
        } finally {
            queue.leave(organization);
        }
    }

    /** What this process may write. */
    public WriteGate gate() {
        return gate;
    }

    /** How changes of organizations are noted for those who look for due work. */
    public ChangeLook changeLook() {
        return changeLook;
    }

    /** Runs a transaction that writes, unless nothing is written now. */
    <T extends @Nullable Object> T changed(Function<Tx, T> work) {
        try (WriteGate.Passage _ = gate.enter()) {
            gate.require(null);
            return transact(false, work);
        }
    }

    /** Whether this is a Citus cluster; asks once. */
    boolean isOnCitus() {
        Boolean cached = citus;
        return cached == null ? read(tx -> knowsCitus(tx.connection())) : cached;
    }

    private boolean knowsCitus(Connection connection) {
        Boolean cached = citus;
        if (cached == null) {
            cached = Citus.isInstalled(connection);
            citus = cached;
        }
        return cached;
    }

    /** What the group commits of this database take turns by. */
    OrganizationTurns turns() {
        return turns;
    }

    /** Where it is, for what needs connections of its own. */
    public Location location() {
        return location;
    }

    /** Its connections. */
    public ConnectionPool connections() {
        return pool;
    }

    /** Whether the database answers now. */
    public boolean isReachable() {
        try {
            return read(tx -> tx.sql("select 1 as one").exists());
        } catch (Problem | DatabaseFailure away) {
            return false;
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    /** Runs a transaction, and commits it durably unless it only reads; in an outer one, as a part of that. */
    private <T extends @Nullable Object> T transact(boolean readOnly, Function<Tx, T> work) {
        OuterTransaction outer = OuterTransaction.current();
        if (outer == null) {
            return transactAlone(readOnly, work);
        }
        Tx tx = tx(outer.connection());
        return readOnly ? work.apply(tx) : outer.join(() -> work.apply(tx), tx::committed);
    }

    private Tx tx(Connection connection) {
        return new Tx(connection, time == null ? null : time.get(), knowsCitus(connection), changeLook);
    }

    private <T extends @Nullable Object> T transactAlone(boolean readOnly, Function<Tx, T> work) {
        try (ConnectionPool.Lease lease = pool.take(readOnly)) {
            Tx tx = tx(lease.connection());
            T result = readOnly ? work.apply(tx) : committed(lease.connection(), tx, work);
            tx.committed();
            return result;
        } catch (SQLException away) {
            throw ConnectionPool.busy();
        } catch (DatabaseFailure failure) {
            throw failure.forCaller();
        }
    }

    private static <T extends @Nullable Object> T committed(Connection connection, Tx tx, Function<Tx, T> work)
            throws SQLException {
        try {
            T result = work.apply(tx);
            connection.commit();
            return result;
        } catch (RuntimeException | Error failure) {
            rollBack(connection, failure);
            throw failure;
        }
    }

    /** What failed is what is told, also when the connection does not answer any more. */
    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failure.addSuppressed(broken);
        }
    }
}
