package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Statement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The rows of runs and of their blocks. The view is always a whole organization; the scope is named beside it. */
final class SegmentSql {
    /** A search that began before a run was replaced reads on in it; none takes so long. */
    private static final String STILL_READ = "interval '5 seconds'";

    private static final RowStatement<Segment> INSERT_LIVE = inserting("true, null::timestamptz");

    /** A run whose writing takes longer than an hour was given up by a process that is gone. */
    private static final RowStatement<Segment> INSERT_HIDDEN = inserting("false, {now} + interval '1 hour'");

    /** Nobody sees it, and nobody removes it: of one whose time is over, blocks may be gone already. */
    private static final String HIDDEN = " and not r.live and r.drop_at > {now}";

    private static final RowStatement<Segment> RETIRE = RowStatement.of(
            "update search_run r set live = false, drop_at = {now} + " + STILL_READ
                    + " from {rows} as w where {r} and r.scope_id = w.scope and r.run = w.run",
            naming());

    private static final RowStatement<Segment> STILL_LIVE = RowStatement.of(
            "select {tenant}r.scope_id, r.run, r.documents, r.newest,"
                    + " r.deleted from {rows} as w join search_run r on {r} and r.scope_id = w.scope and r.run = w.run where r.live",
            naming());

    private static final RowStatement<Segment> BLOCKS = RowStatement.of(
            "select {tenant}b.scope_id, b.run, b.key, b.part, b.content"
                    + " from {rows} as w join search_block b on {b} and b.scope_id = w.scope and b.run = w.run limit :most",
            naming());

    private static final RowStatement<BlockRow> INSERT_BLOCKS = RowStatement.of(
            """
            insert into search_block (organization_id, scope_id, run, key, part, content)
            select {organization}, r.* from {rows} as r""",
            RowStatement.uuid("scope", piece -> piece.run.scope()),
            RowStatement.bigint("run", piece -> piece.run.number()),
            RowStatement.bigint("key", piece -> piece.block.key()),
            RowStatement.integer("part", piece -> piece.block.part()),
            RowStatement.bytes("content", piece -> piece.block.content()));

    private static final String OF_SCOPES =
            " from unnest(:organizations::uuid[], :scopes::uuid[]) as w (organization_id, scope_id)"
                    + " join search_run r on r.organization_id = w.organization_id and r.scope_id = w.scope_id";

    private SegmentSql() {}

    private static RowStatement<Segment> inserting(String liveAndDropped) {
        return RowStatement.of(
                "insert into search_run"
                        + " (organization_id, scope_id, run, documents, newest, deleted, stale_at, live, drop_at)"
                        + " select {organization}, r.scope, r.run, r.documents, r.newest, r.deleted,"
                        + " case when r.deleted > 0 then {now} end, " + liveAndDropped + " from {rows} as r",
                RowStatement.uuid("scope", Segment::scope),
                RowStatement.bigint("run", Segment::number),
                RowStatement.integer("documents", Segment::documents),
                RowStatement.time("newest", Segment::newest),
                RowStatement.integer("deleted", Segment::deleted));
    }

    private static List<RowStatement.Column<Segment>> naming() {
        return List.of(RowStatement.uuid("scope", Segment::scope), RowStatement.bigint("run", Segment::number));
    }

    /** A block and what it is of. */
    private record BlockRow(Segment run, PostingsBlock block) {}

    /** A block of one of several runs. */
    record FoundBlock(UUID scope, long segment, PostingsBlock block) {}

    /** Adds whole runs, live at once. */
    static void insert(RoundTrip trip, View view, List<Segment.NewSegment> wholes) {
        trip.change(
                view,
                INSERT_LIVE,
                wholes.stream().map(Segment.NewSegment::segment).toList());
        trip.change(
                view,
                INSERT_BLOCKS,
                wholes.stream()
                        .flatMap(whole -> whole.blocks().stream().map(block -> new BlockRow(whole.segment(), block)))
                        .toList());
    }

    /** Adds runs without blocks, which nobody sees before {@link #publish}. */
    static void insertHidden(RoundTrip trip, View view, List<Segment> runs) {
        trip.change(view, INSERT_HIDDEN, runs);
    }

    /** Adds blocks of one run. */
    static void blocks(RoundTrip trip, View view, Segment run, List<PostingsBlock> blocks) {
        trip.change(
                view,
                INSERT_BLOCKS,
                blocks.stream().map(block -> new BlockRow(run, block)).toList());
    }

    /** The live runs of each of some scopes of an organization, the newest first. */
    static List<List<Segment>> live(Tx tx, View organization, List<UUID> scopes) {
        List<Segment> all = tx.sql(
                        organization,
                        "select r.scope_id, r.run, r.documents, r.newest, r.deleted from search_run r"
                                + " where {r} and r.scope_id = any (:scopes) and r.live order by r.newest desc")
                .bind("scopes", scopes.toArray(UUID[]::new))
                .list(SegmentSql::run);
        return scopes.stream()
                .map(scope ->
                        all.stream().filter(run -> run.scope().equals(scope)).toList())
                .toList();
    }

    /** The live runs of some scopes of any organizations, those of each the newest first. */
    static Map<Scope, List<Segment>> live(Tx tx, Collection<Scope> scopes) {
        Map<Scope, List<Segment>> live = new LinkedHashMap<>();
        named(
                        tx.sqlAcrossTenants(
                                "select r.organization_id, r.scope_id, r.run, r.documents, r.newest, r.deleted"
                                        + OF_SCOPES + " where r.live order by r.newest desc"),
                        scopes)
                .list(row -> Map.entry(scope(row), run(row)))
                .forEach(each -> live.computeIfAbsent(each.getKey(), _ -> new ArrayList<>())
                        .add(each.getValue()));
        return live;
    }

    /** A run of any organization that is to be written anew. */
    record StaleSegment(UUID organization, Segment segment) {}

    /** Runs of any organization in which messages were deleted that long ago, or longer. */
    static List<StaleSegment> stale(Tx tx, Duration ago, int limit) {
        return tx.sqlAcrossTenants(
                        "select r.organization_id, r.scope_id, r.run, r.documents, r.newest, r.deleted from search_run r"
                                + " where r.live and r.stale_at <= {now} - make_interval(secs => :ago) order by r.stale_at limit :limit")
                .bind("ago", ago.toSeconds())
                .bind("limit", limit)
                .list(row -> new StaleSegment(row.uuid("organization_id"), run(row)));
    }

    /** The index of one inbox, pod or organization. */
    record Scope(UUID organization, UUID scope) {}

    /** Which of these have that many live runs or more. */
    static List<Scope> dueForMerge(Tx tx, Collection<Scope> scopes, int many) {
        return named(
                        tx.sqlAcrossTenants("select r.organization_id, r.scope_id" + OF_SCOPES
                                + " where r.live group by r.organization_id, r.scope_id having count(*) >= :many"),
                        scopes)
                .bind("many", many)
                .list(SegmentSql::scope);
    }

    private static Statement named(Statement statement, Collection<Scope> scopes) {
        return statement
                .bind("organizations", scopes.stream().map(Scope::organization).toArray(UUID[]::new))
                .bind("scopes", scopes.stream().map(Scope::scope).toArray(UUID[]::new));
    }

    /** A piece of a run's blocks of terms, behind the given place. */
    static List<PostingsBlock> blocksAfter(Tx tx, UUID organization, Segment run, PostingsBlock last, int limit) {
        return tx.sql(
                        View.of(organization),
                        "select b.key, b.part, b.content from search_block b where {b}"
                                + " and b.scope_id = :scope and b.run = :run and (b.key, b.part) > (:key, :part)"
                                + " order by b.key, b.part limit :limit")
                .bind("scope", run.scope())
                .bind("run", run.number())
                .bind("key", last.key())
                .bind("part", last.part())
                .bind("limit", limit)
                .list(SegmentSql::block);
    }

    /** The blocks that name the messages of some runs of a scope, by the run's number, in order. */
    static Map<Long, List<PostingsBlock>> documents(Tx tx, UUID organization, List<Segment> runs) {
        Map<Long, List<PostingsBlock>> documents = new HashMap<>();
        tx.sql(
                        View.of(organization),
                        "select b.run, b.key, b.part, b.content from search_block b where {b} and b.scope_id = :scope"
                                + " and b.run = any (:runs) and b.key < 0 order by b.run, b.key")
                .bind("scope", runs.getFirst().scope())
                .bind("runs", runs.stream().map(Segment::number).toArray(Long[]::new))
                .list(row -> Map.entry(row.longer("run"), block(row)))
                .forEach(block -> documents
                        .computeIfAbsent(block.getKey(), _ -> new ArrayList<>())
                        .add(block.getValue()));
        return documents;
    }

    /**
     * Makes a run seen in the place of others; tells whether all of these were still there. What was deleted in them
     * while it was written is in it.
     */
    static boolean publish(Tx tx, View view, Segment run, List<Segment> replaced) {
        Long[] numbers = replaced.stream().map(Segment::number).toArray(Long[]::new);
        int known = replaced.stream().mapToInt(Segment::deleted).sum();
        int deleted = tx.sql(
                        view,
                        "select coalesce(sum(r.deleted), 0)::integer as deleted from search_run r where {r}"
                                + " and r.scope_id = :scope and r.run = any (:runs)")
                .bind("scope", run.scope())
                .bind("runs", numbers)
                .one(row -> row.integer("deleted"));
        int retired = tx.sql(
                        view,
                        "update search_run r set live = false, drop_at = {now} + " + STILL_READ
                                + " where {r} and r.scope_id = :scope and r.run = any (:runs) and r.live")
                .bind("scope", run.scope())
                .bind("runs", numbers)
                .run();
        int published = retired < numbers.length
                ? 0
                : tx.sql(
                                view,
                                "update search_run r set live = :some,"
                                        + " drop_at = case when :some then null else {now} end, deleted = :deleted,"
                                        + " stale_at = case when :deleted > 0 then {now} end where {r} and r.scope_id = :scope and r.run = :run"
                                        + HIDDEN)
                        .bind("some", run.documents() > 0)
                        .bind("deleted", deleted - known)
                        .bind("scope", run.scope())
                        .bind("run", run.number())
                        .run();
        return published == 1;
    }

    /** Looks, under the organization's clock, which of some runs nobody has replaced, and what has been deleted in them. */
    static RoundTrip.Result<Segment> prefetchLive(RoundTrip opening, View view, List<Segment> runs) {
        return opening.query(view, STILL_LIVE, runs, SegmentSql::run);
    }

    /** Looks for all blocks of some runs, in no order; for so many in all, at most. */
    static RoundTrip.Result<FoundBlock> prefetchBlocks(RoundTrip trip, View view, List<Segment> runs, int most) {
        return trip.query(
                view,
                BLOCKS,
                runs,
                row -> new FoundBlock(row.uuid("scope_id"), row.longer("run"), block(row)),
                "most",
                most);
    }

    /** Takes live runs that others replace out of every search that begins from now on. */
    static void retire(RoundTrip writes, View view, List<Segment> runs) {
        writes.change(view, RETIRE, runs);
    }

    /** Adds blocks to a run that nobody sees yet, and tells whether it is still there to be written. */
    static boolean readMore(Tx tx, View view, Segment run, List<PostingsBlock> blocks) {
        boolean there = !tx.sql(
                        view,
                        "select r.run from search_run r where {r} and r.scope_id = :scope and r.run = :run" + HIDDEN
                                + " for update")
                .bind("scope", run.scope())
                .bind("run", run.number())
                .list(row -> row.longer("run"))
                .isEmpty();
        if (there) {
            RoundTrip trip = tx.roundTrip();
            blocks(trip, view, run, blocks);
            trip.run();
        }
        return there;
    }

    private static Segment run(Row row) {
        return new Segment(
                row.uuid("scope_id"),
                row.longer("run"),
                row.integer("documents"),
                row.instant("newest"),
                row.integer("deleted"));
    }

    private static Scope scope(Row row) {
        return new Scope(row.uuid("organization_id"), row.uuid("scope_id"));
    }

    private static PostingsBlock block(Row row) {
        return new PostingsBlock(row.longer("key"), row.integer("part"), row.bytes("content"));
    }

    /** Gives up every run of a scope that is gone. */
    static void dropAll(Tx tx, UUID organization, UUID scope) {
        tx.sql(
                        View.of(organization),
                        "update search_run r set live = false, drop_at = {now}"
                                + " where {r} and r.scope_id = :scope and r.live")
                .bind("scope", scope)
                .run();
    }
}
