package dev.inboxd.base.rate;

import dev.inboxd.base.database.Tx;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The budgets in the database. */
final class RateSql {
    /** One statement for existing budgets and full ones, which have no row. */
    private static final String TAKE = """
            insert into rate_budget as b (bucket, full_at, granted, capacity, step, asked_at)
            select r.bucket, t.at + least(r.wanted, r.capacity) * r.step, least(r.wanted, r.capacity), r.capacity,
                r.step, t.at
            from unnest(:buckets::bytea[], :wanted::int4[], :capacities::int4[], :steps::int8[])
                    as r (bucket, wanted, capacity, step),
                (select (extract(epoch from {now}) * 1000000)::int8 as at) t
            on conflict (bucket) do update set
                granted = least(excluded.granted, greatest(0, (excluded.capacity * excluded.step
                    - (greatest(b.full_at, excluded.asked_at) - excluded.asked_at)) / excluded.step)),
                full_at = greatest(b.full_at, excluded.asked_at) + excluded.step
                    * least(excluded.granted, greatest(0, (excluded.capacity * excluded.step
                    - (greatest(b.full_at, excluded.asked_at) - excluded.asked_at)) / excluded.step)),
                capacity = excluded.capacity, step = excluded.step, asked_at = excluded.asked_at
            returning b.bucket, b.granted, b.full_at - b.asked_at as missing""";

    private static final String FORGET =
            "delete from rate_budget where full_at < (extract(epoch from {now}) * 1000000)::int8";

    private RateSql() {}

    /** The lease of one budget; its bucket is a ByteBuffer, which can be compared. */
    private record LeaseAnswer(ByteBuffer bucket, LeaseRequest.Lease lease) {}

    /** Answers each request. The requests must be sorted by bucket, so that two nodes never wait for each other. */
    static void take(Tx tx, List<LeaseRequest> asks) {
        Map<ByteBuffer, LeaseRequest.Lease> leases = tx
                .sql(TAKE)
                .bind("buckets", asks.stream().map(ask -> ask.bucket).toArray(byte[][]::new))
                .bind("wanted", asks.stream().map(ask -> ask.rate.share()).toArray(Integer[]::new))
                .bind("capacities", asks.stream().map(ask -> ask.rate.burst()).toArray(Integer[]::new))
                .bind("steps", asks.stream().map(ask -> ask.rate.step()).toArray(Long[]::new))
                .list(row -> new LeaseAnswer(
                        ByteBuffer.wrap(row.bytes("bucket")),
                        new LeaseRequest.Lease(row.integer("granted"), row.longer("missing"))))
                .stream()
                .collect(Collectors.toMap(LeaseAnswer::bucket, LeaseAnswer::lease));
        for (LeaseRequest ask : asks) {
            LeaseRequest.Lease lease = leases.get(ByteBuffer.wrap(ask.bucket));
            if (lease != null) {
                ask.complete(lease);
            }
        }
    }

    /** Deletes full budgets; a missing row means a full budget. */
    static void forget(Tx tx) {
        tx.sql(FORGET).run();
    }
}
