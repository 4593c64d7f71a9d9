package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.PendingCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What a slice of a long queue costs is of the slice's size, not of the queue's; counted in rows that were fetched. */
class QueueCostDbTest {
    private static final int QUEUE = 3_000;
    private static final int SLICE = 100;
    private static final int SWEPT = 400;
    private static final int OTHERS = 60;
    private static final UUID NODE = new UUID(0, 1);

    @Test
    @Proves("P8a")
    void aClaimFetchesWhatItTakes() throws IOException {
        look((tx, all, hook) -> {
            assertThat(tx.sql(all, """
                    insert into delivery (organization_id, seq, webhook_id, due_at, created_at)
                    select {organization}, n, :webhook, {now}, {now} from generate_series(1, :many) as n""")
                            .bind("webhook", hook)
                            .bind("many", QUEUE)
                            .run())
                    .isEqualTo(QUEUE);
            long before = fetched(tx, "delivery");
            assertThat(DeliverySql.claim(tx, all, NODE, List.of(hook), List.of(SLICE)))
                    .hasSize(SLICE);
            assertThat(fetched(tx, "delivery") - before).isBetween((long) SLICE, 2L * SLICE);
        });
    }

    @Test
    @Proves("P8a")
    void forgettingTheLogOfAWebhookFetchesWhatItRemoves() throws IOException {
        look((tx, all, hook) -> {
            tx.sql(all, """
                    insert into delivery_attempt (organization_id, webhook_id, seq, at, attempt, millis)
                    select {organization}, 'ep_gone', n, {now}, 1, 1
                    from generate_series(1, :many) as n""").bind("many", QUEUE).run();
            long before = fetched(tx, "delivery_attempt");
            assertThat(DeliverySql.forget(tx, all, "ep_gone"))
                    .as("all of it in one slice")
                    .isFalse();
            assertThat(fetched(tx, "delivery_attempt") - before).isPositive().isLessThan(QUEUE);
        });
    }

    /** Each by its key, whatever else waits. */
    @Test
    void settlingFetchesWhatIsSettled() throws IOException {
        look((tx, all, hook) -> {
            queue(tx, all, hook);
            long before = fetched(tx, "delivery");
            settle(tx, trip -> ResultSql.remove(trip, all, deliveries(all, hook, 1)));
            settle(
                    tx,
                    trip -> ResultSql.fail(
                            trip,
                            all,
                            deliveries(all, hook, 1 + SLICE).stream()
                                    .map(each -> ResultWriter.FailedAttempt.of(
                                            new AttemptResult(each, Instant.EPOCH, 500, "status 500", 1, null),
                                            new byte[1]))
                                    .toList()));
            settle(tx, trip -> ResultSql.releaseWith(trip, all, NODE, deliveries(all, hook, 1 + 2 * SLICE)));
            assertThat(fetched(tx, "delivery") - before).isBetween(3L * SLICE, 6L * SLICE);
            assertThat(left(tx, all, "true")).isEqualTo(QUEUE - SLICE);
            assertThat(left(tx, all, "d.attempts = 1 and d.last_error = 'status 500'"))
                    .isEqualTo(SLICE);
            assertThat(left(tx, all, "d.claimed_by is null and d.attempts = 0")).isEqualTo(SLICE);
        });
    }

    @Test
    void whatWasGivenUpLongAgoIsSweptByItsPlaces() throws IOException {
        look((tx, all, hook) -> {
            queue(tx, all, hook);
            tx.sql(
                            all,
                            "update delivery d set due_at = null, failed_at = {now} - interval '30 days' where {d}"
                                    + " and d.seq > :first")
                    .bind("first", QUEUE - SWEPT)
                    .run();
            long before = fetched(tx, "delivery");
            DeliverySql.deleteExpired(tx, all);
            assertThat(fetched(tx, "delivery") - before).isBetween((long) SWEPT, 3L * SWEPT);
            assertThat(left(tx, all, "true")).isEqualTo(QUEUE - SWEPT);
        });
    }

    /** Events of several organizations that share a commit. */
    @Test
    void whoIsToldOfAnEventIsLookedForAmongItsOwnOrganizationsWebhooksAlone() {
        try (World world = World.start()) {
            Database database = world.database();
            for (int i = 0; i < OTHERS; i++) {
                world.otherOrganization();
            }
            List<UUID> all = database.read(tx -> tx.sqlAcrossTenants("select o.organization_id from organization o")
                    .list(row -> row.uuid("organization_id")));
            all.forEach(organization -> database.write(
                    organization, tx -> tx.sql(View.of(organization), """
                    insert into webhook (organization_id, webhook_id, url, secret, enabled, event_types, created_at,
                    updated_at)
                    values ({organization}, 'ep_told', 'http://127.0.0.1:1/', ''::bytea, true, array['message.sent'],
                    {now},
                            {now})""").run()));
            // Known to be few, all of them look cheaper than one look for each.
            database.writeGlobal(tx -> tx.sqlAcrossTenants("analyze webhook").run());
            List<Long> fetched = new ArrayList<>();
            // A process counts what it fetched before, too: connections of the service have looked for due work.
            Database.Location own = new Database.Location(world.databaseUrl(), null, null, 1);
            try (Database fresh = new Database(own, null)) {
                GroupCommit.<UUID>of(fresh, (tx, organization, _) -> new Telling(tx, organization, fetched))
                        .submitAll(all.subList(0, 2), Function.identity())
                        .forEach(PendingCommit::await);
            }
            assertThat(fetched).first(InstanceOfAssertFactories.LONG).isBetween(2L, 4L);
            assertThat(database.<Integer>read(tx -> tx.sqlAcrossTenants(
                                    "select count(*) as n from delivery d" + " where d.webhook_id = 'ep_told'")
                            .single(row -> row.integer("n"))))
                    .isEqualTo(2);
        }
    }

    /** An event, and how many webhooks were looked at for it and what it shares the transaction with. */
    private record Telling(Tx tx, View organization, List<Long> fetched) implements GroupCommit.Change {
        @Override
        public ClockReservation claim() {
            return ClockReservation.numbers(1);
        }

        @Override
        public void write(RoundTrip writes) {
            EventLog.EventBatch events = new EventLog(_ -> {}).appending(tx, organization);
            events.add(new Event(
                    EventType.MESSAGE_SENT,
                    new Event.Subject(UUID.randomUUID(), UUID.randomUUID(), null, null, null, 0),
                    List.of(),
                    "{}"));
            events.appendTo(writes);
        }

        @Override
        public Runnable followUp() {
            return () -> fetched.add(QueueCostDbTest.fetched(tx, "webhook"));
        }
    }

    private static void queue(Tx tx, View all, String hook) {
        assertThat(tx.sql(all, """
                insert into delivery (organization_id, seq, webhook_id, due_at, claimed_by, created_at)
                select {organization}, n, :webhook, {now}, :node, {now} from generate_series(1, :many) as n""")
                        .bind("webhook", hook)
                        .bind("node", NODE)
                        .bind("many", QUEUE)
                        .run())
                .isEqualTo(QUEUE);
    }

    private static List<WebhookDelivery> deliveries(View all, String hook, int first) {
        return IntStream.range(first, first + SLICE)
                .mapToObj(seq -> new WebhookDelivery(
                        all.organization(), hook, seq, 0, null, false, WebhookDelivery.startBy(WebhookDelivery.LEASE)))
                .toList();
    }

    private static void settle(Tx tx, Consumer<RoundTrip> statement) {
        RoundTrip trip = tx.roundTrip();
        statement.accept(trip);
        trip.run();
    }

    private static int left(Tx tx, View all, String which) {
        return tx.sql(all, "select count(*) as n from delivery d where {d} and " + which)
                .single(row -> row.integer("n"));
    }

    private interface Look {
        void at(Tx tx, View all, String hook);
    }

    /** In a transaction that nobody sees, and that is not kept. */
    private static void look(Look look) throws IOException {
        try (World world = World.start();
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            TestWebhook hook = TestWebhook.of(world, endpoint, world.inbox("queue"));
            try {
                world.database().run(world.organization(), tx -> {
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
                        + " from pg_stat_xact_user_tables s where s.relname = :name")
                .bind("name", table)
                .single(row -> row.longer("rows"));
    }
}
