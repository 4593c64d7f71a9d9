package dev.inboxd.payment.view;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.payment.offer.Price;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/**
 * What was settled on a day (UTC).
 *
 * @param number of payments
 * @param units their sum in millionths of a US dollar
 * @param test whether no money moved
 */
public record PaymentDay(LocalDate day, long number, long units, boolean test) {
    /** More payments than these are not added up: the sums are of the newest. */
    public static final int MOST = 10_000;

    /** The days of an organization, the newest first, from the payments that began since a time. */
    public static List<PaymentDay> since(Tx tx, View view, Instant since) {
        return tx.sql(view, """
                select to_char(q.settled_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as number,
                    sum(q.price)::bigint as sum, q.test
                from (select p.settled_at, p.price, p.test from payment p
                    where p.organization_id = {organization} and p.payment_id >= :from and p.state = 'settled'
                    order by p.payment_id desc limit :most) as q
                group by day, q.test order by day desc, q.test""")
                .bind("from", new UUID(since.toEpochMilli() << 16, 0L)) // ids are in the order of their time
                .bind("most", MOST)
                .list(row -> new PaymentDay(
                        LocalDate.parse(row.text("day")), row.longer("number"), row.longer("sum"), row.flag("test")));
    }

    /** The sum in US dollars. */
    public String sum() {
        return Price.text(units);
    }
}
