package dev.inboxd.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.World;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.net.FakeEndpoint;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a slice of a long queue costs is of the slice's size, not of the queue's; counted in rows that were fetched. */
class QueueCostDbTest {
    private static final int QUEUE = 3_000;
    private static final int SLICE = 100;

    @Test
    void aClaimFetchesWhatItTakes() throws IOException {
        look((tx, all, hook) -> {
            assertThat(tx.sql(all, """
                    insert into delivery (organization_id, seq, webhook_id, due_at, created_at)
                    select {organization}, n, :webhook, {now}, {now} from generate_series(1, :many) as n""")
                    .bind("webhook", hook).bind("many", QUEUE).run()).isEqualTo(QUEUE);
            long before = fetched(tx, "delivery");
            assertThat(DeliverySql.claim(tx, all, new UUID(0, 1), List.of(hook), List.of(SLICE))).hasSize(SLICE);
            assertThat(fetched(tx, "delivery") - before).isBetween((long) SLICE, 2L * SLICE);
        });
    }

    @Test
    void forgettingTheLogOfAWebhookFetchesWhatItRemoves() throws IOException {
        look((tx, all, hook) -> {
            tx.sql(all, """
                    insert into delivery_attempt (organization_id, webhook_id, seq, at, attempt, millis)
                    select {organization}, 'ep_gone', n, {now}, 1, 1 from generate_series(1, :many) as n""")
                    .bind("many", QUEUE).run();
            long before = fetched(tx, "delivery_attempt");
            assertThat(DeliverySql.forget(tx, all, "ep_gone")).as("all of it in one slice").isFalse();
            assertThat(fetched(tx, "delivery_attempt") - before).isPositive().isLessThan(QUEUE);
        });
    }

    private interface Look {
        void at(Tx tx, View all, String hook);
    }

    /** In a transaction that nobody sees, and that is not kept. */
    private static void look(Look look) throws IOException {
        try (World world = World.start(); FakeEndpoint endpoint = FakeEndpoint.start()) {
            Hook hook = Hook.of(world, endpoint, world.inbox("queue"));
            try {
                world.database().<@Nullable Void>write(world.organization(), tx -> {
                    look.at(tx, View.of(world.organization()), hook.id());
                    throw new CancellationException();
                });
            } catch (CancellationException done) {
                assertThat(hook.lines()).isEmpty();
            }
        }
    }

    private static long fetched(Tx tx, String table) {
        return tx.sql("select coalesce(sum(s.seq_tup_read + s.idx_tup_fetch), 0)::int8 as rows"
                + " from pg_stat_xact_user_tables s where s.relname = :name").bind("name", table)
                .one(row -> row.longer("rows"));
    }
}
