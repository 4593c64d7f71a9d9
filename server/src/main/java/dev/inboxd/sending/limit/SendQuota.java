package dev.inboxd.sending.limit;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.sending.SendCommand;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Limits how many messages an organization sends (identity.md §4.2, §6.4). Messages are counted in the commit that
 * stores them, so concurrent sends on any number of nodes cannot exceed the limits (promises.md A43).
 *
 * @param perDay messages of a day (UTC)
 * @param perMonth messages of a month (UTC)
 * @param perDayUnverified messages of a day while no human has verified the organization
 * @param perDayOfInbox messages of a day from one inbox: the harm that an agent gone astray can do (promises.md A6)
 */
public record SendQuota(int perDay, int perMonth, int perDayUnverified, int perDayOfInbox) {
    private static final int ANY = Integer.MAX_VALUE;

    /** No limits; nothing is counted. */
    public static final SendQuota NONE = new SendQuota(ANY, ANY, ANY, ANY);

    private static final RowStatement.Column<UUID> INBOX_ID = RowStatement.uuid("inbox_id", id -> id);
    private static final RowStatement<UUID> USAGE = RowStatement.of("""
            select {tenant}r.inbox_id, o.type = 'agent_unverified' as unverified,
                coalesce((select sum(c.sent) from send_count c
                          where {c} and c.day >= date_trunc('month', {now} at time zone 'UTC')::date), 0)::int8
                as month,
                coalesce((select c.sent from send_count c
                          where {c} and c.day = ({now} at time zone 'UTC')::date), 0)::int8 as day,
                coalesce((select i.sent from inbox_send_count i where i.organization_id = {organization}
                          and i.inbox_id = r.inbox_id and i.day = ({now} at time zone 'UTC')::date), 0)::int8 as inbox,
                extract(epoch from date_trunc('month', {now} at time zone 'UTC') + interval '1 month'
                    - {now} at time zone 'UTC')::int8 as to_month,
                extract(epoch from date_trunc('day', {now} at time zone 'UTC') + interval '1 day'
                    - {now} at time zone 'UTC')::int8 as to_day
            from {rows} as r join organization o on {o}""", INBOX_ID);

    private static final RowStatement.Column<Integer> SENT = RowStatement.integer("sent", sent -> sent);
    private static final RowStatement<Integer> COUNT = RowStatement.of("""
            insert into send_count as c (organization_id, day, sent)
            select {organization}, ({now} at time zone 'UTC')::date, r.sent from {rows} as r
            on conflict (organization_id, day) do update set sent = c.sent + excluded.sent""", SENT);

    private static final RowStatement.Column<Map.Entry<UUID, Integer>> COUNTED_INBOX =
            RowStatement.uuid("inbox_id", Map.Entry::getKey);
    private static final RowStatement.Column<Map.Entry<UUID, Integer>> COUNTED =
            RowStatement.integer("sent", Map.Entry::getValue);

    private static final RowStatement<Map.Entry<UUID, Integer>> COUNT_INBOX =
            RowStatement.of("""
            insert into inbox_send_count as c (organization_id, inbox_id, day, sent)
            select {organization}, r.inbox_id, ({now} at time zone 'UTC')::date, r.sent from {rows} as r
            on conflict (organization_id, inbox_id, day)
            do update set sent = c.sent + excluded.sent""", COUNTED_INBOX, COUNTED);

    private record QuotaUsage(
            UUID inbox, boolean unverified, long month, long day, long ofInbox, long toMonth, long toDay) {
        static QuotaUsage read(Row row) {
            return new QuotaUsage(
                    row.uuid("inbox_id"),
                    row.flag("unverified"),
                    row.longer("month"),
                    row.longer("day"),
                    row.longer("inbox"),
                    row.longer("to_month"),
                    row.longer("to_day"));
        }
    }

    /**
     * Counts messages that are sent later ({@link SendCommand}), in the caller's transaction.
     *
     * @throws Problem {@code rate_limit_exceeded} when not all of them may be sent
     */
    public void charge(Tx tx, View all, UUID inbox, int messages) {
        QuotaCheck check = newCheck();
        RoundTrip roundTrip = tx.roundTrip();
        check.prefetch(roundTrip, all, Set.of(inbox));
        roundTrip.run();
        for (int i = 0; i < messages; i++) {
            check.check(inbox);
            check.count(inbox);
        }
        RoundTrip writes = tx.roundTrip();
        check.appendTo(writes, all);
        writes.run();
    }

    /** A check for the messages of one transaction. */
    public QuotaCheck newCheck() {
        return new QuotaCheck();
    }

    /**
     * The messages of one transaction: {@link #prefetch} once, then {@link #check} and {@link #count} for each message,
     * then {@link #appendTo}.
     */
    public final class QuotaCheck {
        private final Map<UUID, Integer> sent = new HashMap<>();
        private RoundTrip.Result<QuotaUsage> used = RoundTrip.Result.none();

        private QuotaCheck() {}

        /** Adds a query for the counts of these inboxes to the round trip that locks the organization's clock row. */
        public void prefetch(RoundTrip opening, View all, Set<UUID> inboxes) {
            if (!SendQuota.this.equals(NONE)) {
                used = opening.query(all, USAGE, List.copyOf(inboxes), QuotaUsage::read);
            }
        }

        /**
         * Rejects a message over a limit.
         *
         * @throws Problem {@code rate_limit_exceeded}
         */
        public void check(UUID inbox) {
            int before = sent.values().stream().mapToInt(Integer::intValue).sum();
            for (QuotaUsage now : used.rows()) {
                if (now.inbox.equals(inbox)) {
                    if (now.unverified) {
                        require("sends_per_day_unverified", now.day + before, perDayUnverified, now.toDay);
                    }
                    require("sends_per_day", now.day + before, perDay, now.toDay);
                    require(
                            "sends_per_day_of_inbox",
                            now.ofInbox + sent.getOrDefault(inbox, 0),
                            perDayOfInbox,
                            now.toDay);
                    require("sends_per_month", now.month + before, perMonth, now.toMonth);
                }
            }
        }

        /** Counts a message that is sent. */
        public void count(UUID inbox) {
            sent.merge(inbox, 1, Integer::sum);
        }

        /** Adds the new counts to the round trip that stores the messages. */
        public void appendTo(RoundTrip writes, View all) {
            if (!SendQuota.this.equals(NONE) && !sent.isEmpty()) {
                writes.change(
                        all,
                        COUNT,
                        List.of(sent.values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()));
                writes.change(all, COUNT_INBOX, List.copyOf(sent.entrySet()));
            }
        }
    }

    private static void require(String quota, long used, int most, long seconds) {
        if (used >= most) {
            String window = quota.contains("month") ? "month" : "day";
            String who = quota.contains("inbox") ? "The inbox" : "The organization";
            throw Problem.of(
                            ErrorCode.RATE_LIMIT_EXCEEDED,
                            who + " has sent its " + most + " messages of this " + window)
                    .with("resource", quota)
                    .with("limit", most)
                    .with("window", window)
                    .retryAfter(Duration.ofSeconds(seconds));
        }
    }
}
