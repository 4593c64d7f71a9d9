package dev.inboxd.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes of the log of an organization when it is old, and what stays. */
class EventExpiryDbTest {
    private static final int DAYS = 400;
    /** One event an hour: more than a slice is older than the period. */
    private static final int EVENTS = DAYS * 24;

    private static final Duration KEPT = Duration.ofDays(121);
    private static final long OLD = EVENTS - KEPT.toHours();

    private static AtomicReference<Duration> skew;
    private static Database database;

    @BeforeAll
    static void start() {
        skew = new AtomicReference<>(Duration.ZERO);
        database = new Database(TestPostgres.migrated(), () -> new ClockPosition(skew.get(), null));
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    private static InstantSource clock() {
        return () -> Instant.now().plus(skew.get());
    }

    /** An organization with an event for each hour of its days, all of them read by the search and the totals. */
    private static View organization() {
        UUID id = Uuid7.next();
        database.writeGlobal(
                tx -> new Organizations(database, clock()).create(tx, id, Organization.Type.CONSOLE, null));
        View all = View.of(id);
        change(all, """
                insert into event (organization_id, seq, at, type, message_id)
                select k.organization_id, i, {now} - make_interval(hours => EVENTS - i), 'message.sent',
                    gen_random_uuid()
                from organization_clock k cross join generate_series(1, EVENTS) as i where {k}""");
        change(all, "update organization_clock k set event_seq = EVENTS where {k}");
        change(all, "insert into search_progress (organization_id, seq) values ({organization}, EVENTS)");
        change(all, "insert into metric_progress (organization_id, seq) values ({organization}, EVENTS)");
        return all;
    }

    private static void change(View all, String sql) {
        String text = sql.replace("EVENTS", String.valueOf(EVENTS));
        database.writeGlobal(tx -> tx.sql(all, text).run());
    }

    private static List<Long> numbers(View all) {
        return database.read(tx -> tx.sql(all, "select e.seq from event e where {e} order by e.seq")
                .list(row -> row.longer("seq")));
    }

    private static long horizon(View all) {
        return database.read(tx -> EventHorizon.of(tx, all));
    }

    private static void sweep() {
        new EventExpiry(database, clock(), KEPT, () -> false).sweep();
    }

    private static void sweepTwice() {
        sweep();
        skew.updateAndGet(now -> now.plus(Duration.ofMinutes(11)));
        sweep();
    }

    @Test
    void oldEventsGoOnceItWasToldForAWhile() {
        View all = organization();
        sweep();
        assertThat(horizon(all)).isBetween(OLD - 1, OLD + 1);
        assertThat(numbers(all)).hasSize(EVENTS);
        sweep();
        assertThat(numbers(all)).hasSize(EVENTS);
        skew.updateAndGet(now -> now.plus(Duration.ofMinutes(11)));
        sweep();
        assertThat(numbers(all)).hasSize((int) (EVENTS - horizon(all))).startsWith(horizon(all) + 1);
    }

    /** A second sweep finds nothing to do, and takes nobody's clock. */
    @Test
    void anOrganizationWithoutOldEventsIsNotTouched() {
        View all = organization();
        sweepTwice();
        String row = "select k.xmin::text as version from organization_clock k where {k}";
        String before = database.read(tx -> tx.sql(all, row).single(found -> found.text("version")));
        sweep();
        assertThat(database.<String>read(tx -> tx.sql(all, row).single(found -> found.text("version"))))
                .isEqualTo(before);
    }

    @Test
    void whatWaitsToBeDeliveredOrPolledStays() {
        View all = organization();
        change(all, """
                insert into delivery (organization_id, seq, webhook_id, due_at, created_at)
                values ({organization}, 7, 'ep_waits', {now}, {now}),
                    ({organization}, 2000, 'ep_polls', null, {now})""");
        sweepTwice();
        assertThat(numbers(all)).startsWith(7L, 2000L, horizon(all) + 1);
        change(all, "delete from delivery d where {d}");
        sweep();
        assertThat(numbers(all)).startsWith(horizon(all) + 1);
    }

    @Test
    void theHistoryOfHeldMailStaysUntilItIsReleased() {
        View all = organization();
        change(all, """
                insert into message (organization_id, message_id, inbox_id, pod_id, thread_id, name, labels, restricted,
                    outgoing, sender, recipients_to, size, attachments, created_at, updated_at)
                select e.organization_id, e.message_id, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '<x>',
                    array['held'], 16, false, 'a@b.test', array['c@d.test'], 1, 0, e.at, e.at
                from event e where {e} and e.seq = 3""");
        sweepTwice();
        assertThat(numbers(all)).startsWith(3L, horizon(all) + 1);
        change(all, "update message m set labels = array[]::text[] where {m}");
        sweep();
        assertThat(numbers(all)).startsWith(horizon(all) + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"search_progress", "metric_progress"})
    void whatTheSearchOrTheTotalsHaveNotReadStays(String progress) {
        View all = organization();
        change(all, "update " + progress + " p set seq = 1000 where {p}");
        sweepTwice();
        assertThat(horizon(all)).isEqualTo(1000);
        assertThat(numbers(all)).startsWith(1001L).hasSize(EVENTS - 1000);
    }

    /** Entries of the feed have the numbers behind that of their row: a cursor in the middle of it misses nothing. */
    @Test
    void theHorizonIsBehindTheLabelsOfTheLastEventThatGoes() {
        View all = organization();
        change(all, "update event e set labels = array['a', 'b'] where {e} and e.seq % 3 = 1");
        change(all, "delete from event e where {e} and e.seq % 3 <> 1");
        sweep();
        assertThat(horizon(all) % 3).isZero();
        assertThat(numbers(all)).contains(horizon(all) - 2, horizon(all) + 1);
    }

    @Test
    void aStopEndsASweep() {
        View all = organization();
        new EventExpiry(database, clock(), KEPT, () -> true).sweep();
        assertThat(horizon(all)).isZero();
    }
}
