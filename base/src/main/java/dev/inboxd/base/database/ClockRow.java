package dev.inboxd.base.database;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction takes of an organization's clock, and the statements that take it.
 *
 * @param delaySeconds seconds until the change is looked at; null: what followers read does not change
 */
// waiting_seq stays where a node of the version before 0037 wrote: from there on WaitingUpkeep counts anew.
record ClockRow(ClockReservation claim, @Nullable Integer delaySeconds) {
    private static final String CLOCK = """
            update organization_clock k
            set event_seq = k.event_seq + r.count,
                last_at = (greatest({now} at time zone 'UTC', k.last_at at time zone 'UTC' + interval '1 microsecond')
                    + make_interval(secs => (r.count - 1) / 1e6)) at time zone 'UTC',
                due_at = least(k.due_at at time zone 'UTC', greatest({now} at time zone 'UTC',
                        k.last_at at time zone 'UTC' + interval '1 microsecond')
                    + make_interval(secs => (r.count - 1) / 1e6) + make_interval(secs => r.look)) at time zone 'UTC',
                messages = k.messages + r.messages, bytes = k.bytes + r.bytes,
                waiting_seq = case when k.waiting_seq = k.event_seq then k.event_seq + r.count else k.waiting_seq end
            from {rows} as r where {k}
            returning {tenant}k.event_seq as last, k.last_at as last_at, k.due_at as due_at, k.messages as messages,
                k.bytes as bytes, k.moved_to as moved_to""";

    /** Only if no other writer has it now: who takes the clocks of several organizations waits for none. */
    private static final String FREE_CLOCK = """
            with free as materialized (
                select r.* from {rows} as r join organization_clock c on {c}
                for update of c skip locked)
            """ + CLOCK.replace("{rows} as r", "free as r");

    private static final List<RowStatement.Column<ClockRow>> CLAIM = List.of(
            RowStatement.integer("count", row -> row.claim.numbers()),
            RowStatement.integer("look", ClockRow::delaySeconds),
            RowStatement.bigint("messages", row -> row.claim.room().messages()),
            RowStatement.bigint("bytes", row -> row.claim.room().bytes()));

    static final RowStatement<ClockRow> ANY = RowStatement.of(CLOCK, CLAIM);
    static final RowStatement<ClockRow> FREE = RowStatement.of(FREE_CLOCK, CLAIM);
}
