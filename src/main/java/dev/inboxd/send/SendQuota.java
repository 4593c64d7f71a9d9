package dev.inboxd.send;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How much an organization may send (contract: identity.md §4.2, §6.4). It is counted in the commit of each message, so
 * that no number of sends at once, on any number of nodes, gets beyond it (promises.md A43).
 *
 * @param perDay in a day of UTC
 * @param perMonth in a month of UTC
 * @param perDayUnverified in a day, while no human stands behind the organization
 * @param perDayOfInbox in a day, from one inbox: what an agent that has gone astray can do (promises.md A6, A20)
 */
public record SendQuota(int perDay, int perMonth, int perDayUnverified, int perDayOfInbox) {
    private static final int ANY = Integer.MAX_VALUE;

    /** Any number of messages, none of them counted. */
    public static final SendQuota NONE = new SendQuota(ANY, ANY, ANY, ANY);

    private static final String LOOK = """
            select o.type = 'agent_unverified' as unverified,
                coalesce((select sum(c.sent) from send_count c
                          where {c} and c.day >= date_trunc('month', {now} at time zone 'UTC')::date), 0)::int8 as month,
                coalesce((select c.sent from send_count c
                          where {c} and c.day = ({now} at time zone 'UTC')::date), 0)::int8 as day,
                coalesce((select i.sent from inbox_send_count i where i.organization_id = o.organization_id
                          and i.inbox_id = :inbox and i.day = ({now} at time zone 'UTC')::date), 0)::int8 as inbox,
                extract(epoch from date_trunc('month', {now} at time zone 'UTC') + interval '1 month'
                    - {now} at time zone 'UTC')::int8 as to_month,
                extract(epoch from date_trunc('day', {now} at time zone 'UTC') + interval '1 day'
                    - {now} at time zone 'UTC')::int8 as to_day
            from organization o where {o}""";

    private static final String COUNT = """
            insert into send_count as c (organization_id, day, sent)
            values ({organization}, ({now} at time zone 'UTC')::date, 1)
            on conflict (organization_id, day) do update set sent = c.sent + 1""";

    private static final String COUNT_INBOX = """
            insert into inbox_send_count as c (organization_id, inbox_id, day, sent)
            values ({organization}, :inbox, ({now} at time zone 'UTC')::date, 1)
            on conflict (organization_id, inbox_id, day) do update set sent = c.sent + 1""";

    private record Used(boolean unverified, long month, long day, long inbox, long toMonth, long toDay) {}

    /** Counts one message of an inbox in its own transaction, or keeps it from being sent. */
    Companion companion(UUID inbox) {
        return equals(NONE) ? Companion.NONE : new Counting(inbox);
    }

    private final class Counting implements Companion {
        private final UUID inbox;
        private RoundTrip.Pending<Used> used = RoundTrip.Pending.none();

        private Counting(UUID inbox) {
            this.inbox = inbox;
        }

        @Override
        public void look(RoundTrip opening, View all) {
            used = opening.look(all, LOOK, row -> new Used(row.flag("unverified"), row.longer("month"),
                    row.longer("day"), row.longer("inbox"), row.longer("to_month"), row.longer("to_day")),
                    "inbox", inbox);
        }

        @Override
        public @Nullable Sent decide() {
            for (Used now : used.rows()) {
                if (now.unverified) {
                    require("sends_per_day_unverified", now.day, perDayUnverified, now.toDay);
                }
                require("sends_per_day", now.day, perDay, now.toDay);
                require("sends_per_day_of_inbox", now.inbox, perDayOfInbox, now.toDay);
                require("sends_per_month", now.month, perMonth, now.toMonth);
            }
            return null;
        }

        @Override
        public void writeWith(RoundTrip writes, View all, Sent sent) {
            writes.change(all, COUNT);
            writes.change(all, COUNT_INBOX, "inbox", inbox);
        }
    }

    private static void require(String quota, long used, int most, long seconds) {
        if (used >= most) {
            String window = quota.contains("month") ? "month" : "day";
            String who = quota.contains("inbox") ? "The inbox" : "The organization";
            throw Problem.of(Code.RATE_LIMIT_EXCEEDED, who + " has sent its " + most + " messages of this "
                    + window).with("resource", quota).with("limit", most).with("window", window)
                    .retryAfter(Duration.ofSeconds(seconds));
        }
    }
}
