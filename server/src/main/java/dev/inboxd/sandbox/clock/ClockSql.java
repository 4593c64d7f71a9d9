package dev.inboxd.sandbox.clock;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.time.ClockPosition;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/** The one row of the clock. What it says of calls is by real time: they last as long as they last. */
final class ClockSql {
    /** How long others wait for a call that says nothing. */
    static final Duration LEASE = Duration.ofSeconds(10);

    private ClockSql() {}

    static ClockRecord find(Tx tx) {
        return tx.sql("""
                select c.number, c.shift, c.stands_at, c.frozen, coalesce(c.walker_until > {real_now}, false) as walking
                from sandbox_clock c where c.name = 'inboxd'""")
                .first(row -> new ClockRecord(
                        row.longer("number"),
                        new ClockPosition(
                                Duration.of(row.longer("shift"), ChronoUnit.MICROS), row.instantOrNull("stands_at")),
                        row.flag("frozen"),
                        row.flag("walking")))
                .orElse(ClockRecord.UNMOVED);
    }

    /** Takes the turn to move it; false while another call has it. */
    static boolean take(Tx tx, UUID walker) {
        return tx.sql("""
                        insert into sandbox_clock as c (name, number, shift, frozen, walker, walker_until)
                        values ('inboxd', 0, 0, false, :walker, {real_now} + make_interval(secs => :lease))
                        on conflict (name) do update set walker = excluded.walker, walker_until = excluded.walker_until
                        where c.walker is null or c.walker_until <= {real_now}""")
                        .bind("walker", walker)
                        .bind("lease", (double) LEASE.toSeconds())
                        .run()
                == 1;
    }

    /** Says that the call goes on; false when others took it for dead. */
    static boolean extend(Tx tx, UUID walker) {
        return tx.sql("update sandbox_clock c set walker_until = {real_now} + make_interval(secs => :lease)"
                                + " where c.name = 'inboxd' and c.walker = :walker")
                        .bind("walker", walker)
                        .bind("lease", (double) LEASE.toSeconds())
                        .run()
                == 1;
    }

    /** Gives the turn back. */
    static void release(Tx tx, UUID walker) {
        tx.sql("update sandbox_clock c set walker = null, walker_until = null"
                        + " where c.name = 'inboxd' and c.walker = :walker")
                .bind("walker", walker)
                .run();
    }

    /** Ends the turn of whoever has it: no process but this one uses the database. */
    static void releaseAll(Tx tx) {
        tx.sql("update sandbox_clock c set walker = null, walker_until = null where c.name = 'inboxd'")
                .run();
    }

    /** Moves it in the turn of a call; the number of the move, or nothing when others took the call for dead. */
    static Optional<Long> move(Tx tx, UUID walker, ClockPosition reading, boolean frozen) {
        return tx.sql("""
                update sandbox_clock c set number = c.number + 1, shift = :shift, stands_at = :stands::timestamptz,
                    frozen = :frozen, walker_until = {real_now} + make_interval(secs => :lease)
                where c.name = 'inboxd' and c.walker = :walker returning c.number""")
                .bind("shift", micros(reading))
                .bind("stands", reading.stands())
                .bind("frozen", frozen)
                .bind("walker", walker)
                .bind("lease", (double) LEASE.toSeconds())
                .first(row -> row.longer("number"));
    }

    /** Lets it run from where an abandoned walk left it, unless somebody else did. */
    static Optional<Long> resume(Tx tx, ClockRecord abandoned, ClockPosition reading) {
        return tx.sql("""
                update sandbox_clock c set number = c.number + 1, shift = :shift, stands_at = null, walker = null,
                    walker_until = null
                where c.name = 'inboxd' and c.number = :number
                  and (c.walker is null or c.walker_until <= {real_now}) returning c.number""")
                .bind("shift", micros(reading))
                .bind("number", abandoned.number())
                .first(row -> row.longer("number"));
    }

    /** Whether an organization lives, other than that of the operator. */
    static boolean isInhabited(Tx tx) {
        return tx.sqlAcrossTenants("select 1 as one from organization o where o.type <> 'operator' limit 1")
                .exists();
    }

    private static long micros(ClockPosition reading) {
        return reading.shift().dividedBy(Duration.of(1, ChronoUnit.MICROS));
    }
}
