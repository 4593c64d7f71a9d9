package dev.inboxd.mailbox.search.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.PostingsWriter;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentSql;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Merging and removing runs of several organizations together, whose scopes and runs have the same names. */
class JointMergeDbTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final AtomicReference<Duration> AHEAD = new AtomicReference<>(Duration.ZERO);
    private static Database database;

    @BeforeAll
    static void start() {
        Database.Location location = TestPostgres.migrated();
        database = new Database(location, () -> new ClockPosition(AHEAD.get(), null));
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    @Proves("P6b")
    void runsOfManyOrganizationsBecomeOneEachInOneCommitAndNoOthersAreTouched() {
        UUID scope = UUID.randomUUID();
        UUID neighbour = organization();
        runs(neighbour, scope, 8);
        String before = rows(neighbour);
        List<InMemoryMerges.MergeInput> crowds = IntStream.range(0, 3)
                .mapToObj(_ -> crowd(organization(), scope, 8))
                .toList();
        assertThat(new InMemoryMerges(database).merge(crowds)).isEqualTo(crowds);
        for (InMemoryMerges.MergeInput crowd : crowds) {
            List<Segment> live = live(crowd.organization(), scope);
            assertThat(live).extracting(Segment::documents).containsExactly(8);
            assertThat(live.getFirst().newest())
                    .isEqualTo(crowd.segments().getLast().newest());
            assertThat(messages(crowd.organization(), live.getFirst()))
                    .isEqualTo(LongStream.range(0, 8)
                            .mapToObj(i -> message(crowd.organization(), i))
                            .toList());
            assertThat(terms(crowd.organization(), live.getFirst())).hasSize(8);
        }
        int commits = database.read(
                tx -> tx.sqlAcrossTenants("select count(distinct r.xmin::text)::integer as n from search_run r"
                                + " where r.scope_id = :scope and r.documents = 8")
                        .bind("scope", scope)
                        .single(row -> row.integer("n")));
        assertThat(commits).isEqualTo(1);
        assertThat(rows(neighbour)).isEqualTo(before);
    }

    @Test
    @Proves("P6b")
    void aMergeThatLostAgainstAnotherChangesNothingAndTheOthersOfItsCommitAreMade() {
        InMemoryMerges.MergeInput lost = crowd(organization(), UUID.randomUUID(), 8);
        InMemoryMerges.MergeInput beside = crowd(lost.organization(), UUID.randomUUID(), 8);
        InMemoryMerges.MergeInput other = crowd(organization(), lost.scope().scope(), 8);
        InMemoryMerges merges = new InMemoryMerges(database);
        assertThat(merges.merge(List.of(lost))).containsExactly(lost);
        String before = rows(lost.organization(), lost.scope().scope());
        assertThat(merges.merge(List.of(lost, beside, other))).containsExactly(beside, other);
        assertThat(rows(lost.organization(), lost.scope().scope())).isEqualTo(before);
        assertThat(live(beside.organization(), beside.scope().scope())).hasSize(1);
    }

    @Test
    void aRunThatIsNotWholeAnyMoreKeepsNoOtherFromBeingMerged() {
        InMemoryMerges.MergeInput broken = crowd(organization(), UUID.randomUUID(), 8);
        InMemoryMerges.MergeInput other = crowd(organization(), broken.scope().scope(), 8);
        change(broken.organization(), "delete from search_block b where {b} and b.run = 3");
        String before = rows(broken.organization());
        assertThat(new InMemoryMerges(database).merge(List.of(broken, other))).containsExactly(other);
        assertThat(rows(broken.organization())).isEqualTo(before);
    }

    @Test
    void whatIsTooMuchForTheMemoryIsLeftToTheSlices() {
        UUID organization = organization();
        UUID scope = UUID.randomUUID();
        List<PostingsBlock> terms = IntStream.range(0, 400)
                .mapToObj(i -> new PostingsBlock(100 + i, i, new byte[] {0, 1, 0}))
                .toList();
        List<Segment.NewSegment> wholes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            List<PostingsBlock> blocks = new ArrayList<>(DocumentBlocks.blocks(List.of(message(organization, i))));
            blocks.addAll(terms);
            wholes.add(new Segment.NewSegment(new Segment(scope, i, 1, START.plusSeconds(i)), blocks));
        }
        write(organization, wholes);
        List<Segment> runs = wholes.stream().map(Segment.NewSegment::segment).toList();
        String before = rows(organization);
        assertThat(new InMemoryMerges(database)
                        .merge(List.of(new InMemoryMerges.MergeInput(new SegmentSql.Scope(organization, scope), runs))))
                .isNull();
        assertThat(rows(organization)).isEqualTo(before);
        new StreamingMerge(database).merge(organization, runs);
        List<Segment> live = live(organization, scope);
        assertThat(live).extracting(Segment::documents).containsExactly(8);
        PostingsBlock.Entries entries = new PostingsBlock.Entries(database.read(tx -> SegmentSql.blocksAfter(
                        tx, organization, live.getFirst(), new PostingsBlock(-1, 0, new byte[0]), 9))
                .getFirst());
        assertThat(entries.next()).isTrue();
        assertThat(entries.count()).isEqualTo(8);
    }

    @Test
    @Proves("P6b")
    void aMergeWhoseConnectionBreaksLeavesEverythingAsItWasAndIsMadeLater() throws InterruptedException {
        InMemoryMerges.MergeInput one = crowd(organization(), UUID.randomUUID(), 8);
        InMemoryMerges.MergeInput two = crowd(organization(), one.scope().scope(), 8);
        String before = rows(one.organization()) + rows(two.organization());
        InMemoryMerges merges = new InMemoryMerges(database);
        Thread killer = Thread.ofVirtual().unstarted(JointMergeDbTest::endWhoWaits);
        database.runGlobal(holder -> {
            holder.sql(View.of(two.organization()), "select r.run from search_run r where {r} and r.run = 5 for update")
                    .list(row -> row.longer("run"));
            killer.start();
            assertThat(merges.merge(List.of(one, two))).isEmpty();
        });
        killer.join();
        assertThat(rows(one.organization()) + rows(two.organization())).isEqualTo(before);
        assertThat(merges.merge(List.of(one, two))).containsExactly(one, two);
    }

    @Test
    void whatWasDeletedIsLeftOutAndWhatIsDeletedMeanwhileIsCounted() {
        UUID organization = organization();
        InMemoryMerges.MergeInput crowd = crowd(organization, UUID.randomUUID(), 8);
        change(organization, "update search_run r set deleted = 1 where {r} and r.run = 2");
        // None of them has a row in this database: in a run that counts something as deleted, all are found to be gone.
        InMemoryMerges.MergeInput known = new InMemoryMerges.MergeInput(
                crowd.scope(), live(organization, crowd.scope().scope()).reversed());
        change(organization, "update search_run r set deleted = deleted + 1 where {r} and r.run in (2, 6)");
        assertThat(new InMemoryMerges(database).merge(List.of(known))).containsExactly(known);
        assertThat(live(organization, crowd.scope().scope())).isEmpty();

        InMemoryMerges.MergeInput whole = crowd(organization, UUID.randomUUID(), 8);
        change(
                organization,
                "update search_run r set deleted = 1 where {r} and r.scope_id = '"
                        + whole.scope().scope() + "' and r.run in (2, 6)");
        assertThat(new InMemoryMerges(database).merge(List.of(whole))).containsExactly(whole);
        assertThat(live(organization, whole.scope().scope()))
                .extracting(Segment::documents, Segment::deleted)
                .containsExactly(tuple(8, 2));
        List<SegmentSql.StaleSegment> stale = database.read(tx -> SegmentSql.stale(tx, Duration.ZERO, 1_000));
        assertThat(stale).extracting(SegmentSql.StaleSegment::organization).contains(organization);
    }

    @Test
    @Proves("P6b")
    void whatWasReplacedGoesAfterSomeSecondsAndNothingOfTheNeighbourThatHasTheSameNames() {
        UUID scope = UUID.randomUUID();
        UUID neighbour = organization();
        runs(neighbour, scope, 8);
        String before = rows(neighbour);
        List<InMemoryMerges.MergeInput> crowds =
                List.of(crowd(organization(), scope, 8), crowd(organization(), scope, 8));
        new InMemoryMerges(database).merge(crowds);
        SegmentCleanup sweep = new SegmentCleanup(database, () -> false);
        sweep.run();
        crowds.forEach(crowd -> assertThat(runsOf(crowd.organization())).isEqualTo(9)); // a search may still read them
        AHEAD.set(Duration.ofSeconds(6));
        sweep.run();
        AHEAD.set(Duration.ZERO);
        for (InMemoryMerges.MergeInput crowd : crowds) {
            assertThat(runsOf(crowd.organization())).isEqualTo(1);
            assertThat(orphans(crowd.organization())).isZero();
            assertThat(terms(
                            crowd.organization(),
                            live(crowd.organization(), scope).getFirst()))
                    .hasSize(8);
        }
        assertThat(rows(neighbour)).isEqualTo(before);
    }

    @Test
    void aLargeRunGoesBySlicesAndARunThatAnotherNodeRemovesIsLeftToIt() {
        UUID organization = organization();
        Segment large = new Segment(UUID.randomUUID(), 1, 9_000, START);
        Segment small = new Segment(UUID.randomUUID(), 1, 1, START);
        List<PostingsBlock> blocks = IntStream.range(0, 2_500)
                .mapToObj(i -> new PostingsBlock(i, i, new byte[] {1}))
                .toList();
        write(
                organization,
                List.of(new Segment.NewSegment(large, blocks), new Segment.NewSegment(small, blocks.subList(0, 3))));
        change(organization, "update search_run r set live = false, drop_at = {now} where {r}");
        SegmentCleanup sweep = new SegmentCleanup(database, () -> false);
        database.runGlobal(holder -> {
            holder.sql(View.of(organization), "select r.run from search_run r where {r} for update")
                    .list(row -> row.longer("run"));
            sweep.run();
        });
        assertThat(runsOf(organization)).isEqualTo(2);
        sweep.run();
        assertThat(runsOf(organization)).isZero();
        assertThat(orphans(organization)).isZero();
    }

    private static InMemoryMerges.MergeInput crowd(UUID organization, UUID scope, int count) {
        return new InMemoryMerges.MergeInput(
                new SegmentSql.Scope(organization, scope), runs(organization, scope, count));
    }

    /** Live runs of one message each, with a term of its own, oldest first. */
    private static List<Segment> runs(UUID organization, UUID scope, int count) {
        List<Segment.NewSegment> wholes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<PostingsBlock> blocks = new ArrayList<>(DocumentBlocks.blocks(List.of(message(organization, i))));
            PostingsWriter writer = new PostingsWriter(blocks::add);
            writer.add(100 + i, new int[] {0}, 1);
            writer.end();
            wholes.add(new Segment.NewSegment(new Segment(scope, i, 1, START.plusSeconds(i)), blocks));
        }
        write(organization, wholes);
        return wholes.stream().map(Segment.NewSegment::segment).toList();
    }

    private static UUID message(UUID organization, long i) {
        return new UUID(organization.getMostSignificantBits(), i);
    }

    private static void write(UUID organization, List<Segment.NewSegment> wholes) {
        database.runGlobal(tx -> {
            RoundTrip trip = tx.roundTrip();
            SegmentSql.insert(trip, View.of(organization), wholes);
            trip.run();
        });
    }

    private static UUID organization() {
        UUID organization = UUID.randomUUID();
        change(
                organization,
                "insert into organization_clock (organization_id, event_seq, last_at)"
                        + " values ({organization}, 100, {now})");
        return organization;
    }

    private static void change(UUID organization, String sql) {
        database.runGlobal(tx -> {
            tx.sql(View.of(organization), sql).run();
        });
    }

    private static List<Segment> live(UUID organization, UUID scope) {
        return database.read(tx -> SegmentSql.live(tx, View.of(organization), List.of(scope)))
                .getFirst();
    }

    private static List<UUID> messages(UUID organization, Segment run) {
        return DocumentBlocks.messages(
                Objects.requireNonNull(database.read(tx -> SegmentSql.documents(tx, organization, List.of(run)))
                        .get(run.number())));
    }

    private static List<Map.Entry<Long, Integer>> terms(UUID organization, Segment run) {
        List<Map.Entry<Long, Integer>> terms = new ArrayList<>();
        for (PostingsBlock block : database.read(
                tx -> SegmentSql.blocksAfter(tx, organization, run, new PostingsBlock(-1, 0, new byte[0]), 100))) {
            PostingsBlock.Entries entries = new PostingsBlock.Entries(block);
            while (entries.next()) {
                assertThat(entries.key()).isEqualTo(100 + entries.documents()[0]);
                terms.add(Map.entry(entries.key(), entries.count()));
            }
        }
        return terms;
    }

    /** All rows of the index, as text. */
    private static String rows(UUID organization) {
        return rows(organization, null);
    }

    private static String rows(UUID organization, @Nullable UUID scope) {
        String which = " and (:scope::uuid is null or x.scope_id = :scope)";
        return database.read(tx -> rows(
                        tx,
                        organization,
                        scope,
                        "select x.run, x.live || ' ' || x.documents || coalesce(x.drop_at::text, '-')"
                                + " as text from search_run x where {x}" + which + " order by x.scope_id, x.run")
                + rows(
                        tx,
                        organization,
                        scope,
                        "select x.run, x.scope_id || ' ' || x.key || x.content::text as text"
                                + " from search_block x where {x}" + which
                                + " order by x.scope_id, x.run, x.key, x.part"));
    }

    private static String rows(Tx tx, UUID organization, @Nullable UUID scope, String sql) {
        return tx.sql(View.of(organization), sql)
                .bind("scope", scope)
                .list(row -> row.longer("run") + " " + row.text("text"))
                .toString();
    }

    private static int runsOf(UUID organization) {
        return database.read(
                tx -> tx.sql(View.of(organization), "select count(*)::integer as n from search_run r where {r}")
                        .single(row -> row.integer("n")));
    }

    private static int orphans(UUID organization) {
        return database.read(tx -> tx.sql(
                        View.of(organization),
                        "select count(*)::integer as n from search_block b"
                                + " left join search_run r on {r} and r.scope_id = b.scope_id and r.run = b.run"
                                + " where {b} and r.run is null")
                .single(row -> row.integer("n")));
    }

    /** Ends the connection of whoever waits for a lock, as a crash does. */
    private static void endWhoWaits() {
        Eventually.await(() -> database.read(tx -> tx.sql("select count(pg_terminate_backend(a.pid))::integer as n"
                                + " from pg_stat_activity a where a.wait_event_type = 'Lock'"
                                + " and a.datname = current_database()")
                        .single(row -> row.integer("n")))
                > 0);
    }
}
