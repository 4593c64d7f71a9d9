package dev.inboxd.base.database;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.time.ClockPosition;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open transaction. Services open it, SQL classes take it as an argument, nobody keeps it, and no network call to
 * anything but the database happens while it is open.
 */
public final class Tx {
    private static final Logger LOG = LoggerFactory.getLogger(Tx.class);
    private static final RowStatement<StoredUsage> ADD_USAGE = RowStatement.of(
            """
            update organization_clock k set messages = k.messages + r.messages, bytes = k.bytes + r.bytes
            from {rows} as r where {k}""",
            RowStatement.bigint("messages", StoredUsage::messages),
            RowStatement.bigint("bytes", StoredUsage::bytes));

    private final Connection connection;
    private final @Nullable ClockPosition time;
    private final SqlDialect dialect;
    private final ChangeLook changeLook;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private RoundTrip.@Nullable Result<ClockState> clock;
    private ClockReservation claim = ClockReservation.numbers(0);
    private @Nullable UUID organization;
    private boolean schedules;
    private int used;

    Tx(Connection connection, @Nullable ClockPosition time, boolean citus, ChangeLook changeLook) {
        this.connection = connection;
        this.time = time;
        this.dialect = new SqlDialect(time != null, citus);
        this.changeLook = changeLook;
    }

    /**
     * A transaction of a connection that is no pool's, as a copy holds one; the owner of the connection commits it.
     *
     * @param connection without autocommit
     */
    public static Tx of(Connection connection) {
        return new Tx(connection, null, Citus.isInstalled(connection), new ChangeLook());
    }

    /** A statement on global tables, which belong to no organization. */
    public Statement sql(String text) {
        return statement(text, null);
    }

    /** A statement on tenant tables; its text expands the view. */
    public Statement sql(View view, String text) {
        return statement(text, view);
    }

    /**
     * A look across all organizations, for workers that search what is due; it locks nothing, and what it finds is
     * claimed organization by organization (docs/inside.md, "Views"). Never for a caller's request.
     */
    public Statement sqlAcrossTenants(String text) {
        Map<String, @Nullable Object> values = Statement.valuesOf(null, time);
        return new Statement(connection, SqlTemplate.across(text, dialect), values);
    }

    /** Several statements to be sent together. */
    public RoundTrip roundTrip() {
        return new RoundTrip(connection, dialect, time);
    }

    /**
     * What is asked or changed of one of several organizations.
     *
     * @param <T> what it is about
     */
    public interface Share<T> {
        /** Adds statements by rows, and no others. */
        void add(RoundTrip trip, View organization, T item);
    }

    /**
     * Asks or changes several organizations in one round trip: the same statement of each becomes one over the rows of
     * all, every row with its organization (decision 0048). Takes no clock.
     */
    public <T> void acrossTenants(Map<UUID, T> items, Share<T> share) {
        List<RoundTrip> trips = new ArrayList<>();
        items.forEach((organization, item) -> {
            RoundTrip trip = roundTrip();
            share.add(trip, View.of(organization), item);
            trips.add(trip);
        });
        acrossTenants().run(trips, "");
    }

    /**
     * Takes the organization's clock row, the first lock of every writing transaction, and with it this many numbers
     * and times for {@link #next()}, and room. Runs with the round trip it is added to; look-ups added behind it see
     * everything that was committed before.
     */
    void clock(RoundTrip roundTrip, UUID organization, ClockReservation reservation) {
        clock(ClockRow.ANY, roundTrip, organization, reservation);
    }

    /** As {@link #clock}, but the row is not there for us while another writer has it. */
    void clockIfFree(RoundTrip roundTrip, UUID organization, ClockReservation reservation) {
        clock(ClockRow.FREE, roundTrip, organization, reservation);
    }

    private void clock(
            RowStatement<ClockRow> statement, RoundTrip roundTrip, UUID changed, ClockReservation reservation) {
        claim = reservation;
        organization = changed;
        clock = roundTrip.query(
                View.of(changed),
                statement,
                List.of(new ClockRow(reservation, reservation.numbers() > 0 ? changeLook.seconds() : null)),
                row -> new ClockState(
                        new Stamp(row.longer("last"), row.instant("last_at")),
                        row.instantOrNull("due_at"),
                        new StoredUsage(row.longer("messages"), row.longer("bytes")),
                        row.textOrNull("moved_to")));
    }

    /**
     * Adds the row by which the organization is looked at, if this transaction is the first to change something since
     * the last look: no more than once in that time, and never for a transaction that takes no numbers. The last step
     * before the commit, so it also sees that the organization is still here.
     *
     * @throws Problem where the organization went
     */
    void note(RoundTrip writes) {
        if (clock != null) {
            clock.rows().forEach(ClockState::requireHere);
        }
        if (organization == null
                || clock == null
                || claim.numbers() == 0
                || clock.rows().isEmpty()) {
            return;
        }
        ClockState state = clockState();
        if (state.last().at().plusSeconds(changeLook.seconds()).equals(state.lookAt())) {
            writes.change(View.of(organization), ChangeLook.NOTE, List.of(state.lookAt()));
        }
    }

    /** Notes a change in a round trip of its own, if that is needed. */
    void note() {
        RoundTrip writes = roundTrip();
        note(writes);
        writes.run();
    }

    /**
     * Says that this transaction made work for a time to come: this node looks at the organization soon after the
     * commit. A hint: without it, the row of the change is found a little later.
     */
    public void schedules() {
        schedules = true;
    }

    private ClockState clockState() {
        if (clock == null) {
            throw new IllegalStateException("Not a write of an organization");
        }
        return clock.rows().getFirst();
    }

    /** How much the organization kept before this transaction, without what this reserved. Nobody changes it now. */
    public StoredUsage usage() {
        return clockState().usage().minus(claim.room());
    }

    /**
     * Says how much this transaction really adds to what is kept; costs a statement only if other room was reserved.
     *
     * @param writes the round trip that adds it
     */
    public void recordUsage(RoundTrip writes, View all, StoredUsage added) {
        StoredUsage difference = added.minus(claim.room());
        if (!difference.equals(StoredUsage.NONE)) {
            writes.change(all, ADD_USAGE, List.of(difference));
        }
    }

    /**
     * The next number of the organization and its time: in commit order both, without equals (decision 0001).
     *
     * @throws IllegalStateException outside a write, or when more are taken than were reserved
     */
    public Stamp next() {
        if (clock == null || used >= claim.numbers()) {
            throw new IllegalStateException("No number of the organization's clock is left in this transaction");
        }
        Stamp last = clockState().last();
        int behind = claim.numbers() - ++used;
        return new Stamp(last.number() - behind, last.at().minusNanos(behind * 1_000L));
    }

    /** Leaves out this many numbers, which belong to what the last stamp was given to. */
    public void skip(int count) {
        used += count;
        if (used > claim.numbers()) {
            throw new IllegalStateException("More numbers of the organization's clock were used than reserved");
        }
    }

    /**
     * Runs once the transaction is committed, on the same thread; for wake-ups, which are hints: what fails there is
     * logged, and takes nothing back.
     */
    public void afterCommit(Runnable hint) {
        afterCommit.add(hint);
    }

    /** Says a word to every node once this is committed; a hint that {@link Notifications} hears. For what is rare. */
    public void signal(String channel, String word) {
        sql("select pg_notify(:channel, :word)::text as said")
                .bind("channel", channel)
                .bind("word", word)
                .single(row -> row.text("said"));
    }

    /**
     * A number and a time of an organization.
     *
     * @param number grows with every event of the organization, in commit order, perhaps with holes
     * @param at grows with the number, whole microseconds
     */
    public record Stamp(long number, Instant at) {}

    Connection connection() {
        return connection;
    }

    /** Whether the database is a Citus cluster, where an INSERT that reads other tables takes several nodes. */
    public boolean isOnCitus() {
        return dialect.citus();
    }

    /** Another organization's part of the same transaction. */
    Tx forOrganization() {
        return new Tx(connection, time, dialect.citus(), changeLook);
    }

    /** What runs the round trips of several organizations as one. */
    CrossTenantRoundTrip acrossTenants() {
        return new CrossTenantRoundTrip(connection, dialect, time);
    }

    boolean organizationExists() {
        return clock != null && !clock.rows().isEmpty();
    }

    void committed() {
        for (Runnable hint : afterCommit) {
            try {
                hint.run();
            } catch (RuntimeException
                    | Error failure) { // whatever it is: nobody may believe that nothing was committed
                LOG.error("What follows a commit failed", failure);
            }
        }
        if (schedules && organization != null && claim.numbers() > 0) {
            changeLook.changed(organization);
        }
    }

    private Statement statement(String text, @Nullable View view) {
        Map<String, @Nullable Object> values = Statement.valuesOf(view, time);
        return new Statement(connection, SqlTemplate.of(text, view, dialect), values);
    }
}
