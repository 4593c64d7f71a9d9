package dev.inboxd.mailbox.search.segment;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The rows of segments and of their blocks. The view is always a whole organization; the scope is a parameter. */
public final class SegmentSql {
    /** How long a replaced segment remains for searches that began before its replacement; none takes longer. */
    private static final String STILL_READ = "interval '5 seconds'";

    private static final RowStatement<Segment> INSERT_LIVE = inserting("true, null::timestamptz");

    /** A segment that was not published within an hour was given up by a process that has ended. */
    private static final RowStatement<Segment> INSERT_HIDDEN = inserting("false, {now} + interval '1 hour'");

    /** A segment before {@link #publish}, and before its removal is due: after that its blocks may be gone already. */
    private static final String HIDDEN = " and not r.live and r.drop_at > {now}";

    private static final RowStatement<Segment> RETIRE = RowStatement.of(
            "update search_run r set live = false, drop_at = {now} + " + STILL_READ
                    + " from {rows} as w where {r} and r.scope_id = w.scope and r.run = w.run",
            naming());

    private static final RowStatement<Segment> STILL_LIVE = RowStatement.of(
            "select {tenant}r.scope_id, r.run, r.documents, r.newest, r.deleted from {rows} as w"
                    + " join search_run r on {r} and r.scope_id = w.scope and r.run = w.run where r.live",
            naming());

    private static final RowStatement<Segment> BLOCKS = RowStatement.of(
            "select {tenant}b.scope_id, b.run, b.key, b.part, b.content from {rows} as w"
                    + " join search_block b on {b} and b.scope_id = w.scope and b.run = w.run limit :most",
            naming());

    private static final RowStatement<BlockRow> INSERT_BLOCKS = RowStatement.of(
            """
            insert into search_block (organization_id, scope_id, run, key, part, content)
            select {organization}, r.* from {rows} as r""",
            RowStatement.uuid("scope", row -> row.segment.scope()),
            RowStatement.bigint("run", row -> row.segment.number()),
            RowStatement.bigint("key", row -> row.block.key()),
            RowStatement.integer("part", row -> row.block.part()),
            RowStatement.bytes("content", row -> row.block.content()));

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

    /** A block with its segment. */
    private record BlockRow(Segment segment, PostingsBlock block) {}

    /** A block read from one of several segments. */
    public record FoundBlock(UUID scope, long segment, PostingsBlock block) {}

    /** Adds the inserts of whole segments, live at once. */
    public static void insert(RoundTrip trip, View view, List<Segment.NewSegment> wholes) {
        trip.change(
                view,
                INSERT_LIVE,
                wholes.stream().map(Segment.NewSegment::segment).toList());
        trip.change(
                view,
                INSERT_BLOCKS,
                wholes.stream()
                        .flatMap(added -> added.blocks().stream().map(block -> new BlockRow(added.segment(), block)))
                        .toList());
    }

    /** Adds the inserts of segments without blocks, which no search reads before {@link #publish}. */
    public static void insertHidden(RoundTrip trip, View view, List<Segment> segments) {
        trip.change(view, INSERT_HIDDEN, segments);
    }

    /** Adds the inserts of blocks of one segment. */
    public static void blocks(RoundTrip trip, View view, Segment segment, List<PostingsBlock> blocks) {
        trip.change(
                view,
                INSERT_BLOCKS,
                blocks.stream().map(block -> new BlockRow(segment, block)).toList());
    }

    /** The live segments of each of some scopes of an organization, the newest first. */
    public static List<List<Segment>> live(Tx tx, View organization, List<UUID> scopes) {
        List<Segment> all = tx.sql(
                        organization,
                        "select r.scope_id, r.run, r.documents, r.newest, r.deleted from search_run r"
                                + " where {r} and r.scope_id = any (:scopes) and r.live order by r.newest desc")
                .bind("scopes", scopes.toArray(UUID[]::new))
                .list(SegmentSql::segment);
        return scopes.stream()
                .map(scope ->
                        all.stream().filter(row -> row.scope().equals(scope)).toList())
                .toList();
    }

    /** The live segments of some scopes of any organizations, by scope, the newest first. */
    public static Map<Scope, List<Segment>> live(Tx tx, Collection<Scope> scopes) {
        Map<Scope, List<Segment>> live = new LinkedHashMap<>();
        named(
                        tx.sqlAcrossTenants(
                                "select r.organization_id, r.scope_id, r.run, r.documents, r.newest, r.deleted"
                                        + OF_SCOPES + " where r.live order by r.newest desc"),
                        scopes)
                .list(row -> Map.entry(scope(row), segment(row)))
                .forEach(entry -> live.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>())
                        .add(entry.getValue()));
        return live;
    }

    /** A segment of any organization that must be rewritten, because messages in it were deleted. */
    public record StaleSegment(UUID organization, Segment segment) {}

    /** Segments of any organization whose first deletion is at least that long ago. */
    public static List<StaleSegment> stale(Tx tx, Duration ago, int limit) {
        return tx.sqlAcrossTenants("select r.organization_id, r.scope_id, r.run, r.documents, r.newest, r.deleted"
                        + " from search_run r where r.live and r.stale_at <= {now} - make_interval(secs => :ago)"
                        + " order by r.stale_at limit :limit")
                .bind("ago", ago.toSeconds())
                .bind("limit", limit)
                .list(row -> new StaleSegment(row.uuid("organization_id"), segment(row)));
    }

    /** The index of one inbox, pod or organization. */
    public record Scope(UUID organization, UUID scope) {}

    /** Those of the scopes that have at least {@code many} live segments. */
    public static List<Scope> dueForMerge(Tx tx, Collection<Scope> scopes, int many) {
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

    /** Some postings blocks of a segment, after the given block. */
    public static List<PostingsBlock> blocksAfter(
            Tx tx, UUID organization, Segment segment, PostingsBlock last, int limit) {
        return tx.sql(
                        View.of(organization),
                        "select b.key, b.part, b.content from search_block b where {b}"
                                + " and b.scope_id = :scope and b.run = :run and (b.key, b.part) > (:key, :part)"
                                + " order by b.key, b.part limit :limit")
                .bind("scope", segment.scope())
                .bind("run", segment.number())
                .bind("key", last.key())
                .bind("part", last.part())
                .bind("limit", limit)
                .list(SegmentSql::block);
    }

    /** The document map blocks of some segments of a scope, by the segment's number, in order. */
    public static Map<Long, List<PostingsBlock>> documents(Tx tx, UUID organization, List<Segment> segments) {
        Map<Long, List<PostingsBlock>> documents = new HashMap<>();
        tx.sql(
                        View.of(organization),
                        "select b.run, b.key, b.part, b.content from search_block b where {b} and b.scope_id = :scope"
                                + " and b.run = any (:runs) and b.key < 0 order by b.run, b.key")
                .bind("scope", segments.getFirst().scope())
                .bind("runs", segments.stream().map(Segment::number).toArray(Long[]::new))
                .list(row -> Map.entry(row.longer("run"), block(row)))
                .forEach(block -> documents
                        .computeIfAbsent(block.getKey(), _ -> new ArrayList<>())
                        .add(block.getValue()));
        return documents;
    }

    /** Makes a segment live in the place of others, with what was deleted meanwhile; false if one of these is gone. */
    public static boolean publish(Tx tx, View view, Segment segment, List<Segment> replaced) {
        Long[] numbers = replaced.stream().map(Segment::number).toArray(Long[]::new);
        int countedDeleted = replaced.stream().mapToInt(Segment::deleted).sum();
        int deleted = tx.sql(
                        view,
                        "select coalesce(sum(r.deleted), 0)::integer as deleted from search_run r where {r}"
                                + " and r.scope_id = :scope and r.run = any (:runs)")
                .bind("scope", segment.scope())
                .bind("runs", numbers)
                .single(row -> row.integer("deleted"));
        int retired = tx.sql(
                        view,
                        "update search_run r set live = false, drop_at = {now} + " + STILL_READ
                                + " where {r} and r.scope_id = :scope and r.run = any (:runs) and r.live")
                .bind("scope", segment.scope())
                .bind("runs", numbers)
                .run();
        int published = retired < numbers.length
                ? 0
                : tx.sql(
                                view,
                                "update search_run r set live = :some, deleted = :deleted"
                                        + (segment.documents() > 0 ? ", drop_at = null" : ", drop_at = {now}")
                                        + (deleted > countedDeleted ? ", stale_at = {now}" : ", stale_at = null")
                                        + " where {r} and r.scope_id = :scope and r.run = :run" + HIDDEN)
                        .bind("some", segment.documents() > 0)
                        .bind("deleted", deleted - countedDeleted)
                        .bind("scope", segment.scope())
                        .bind("run", segment.number())
                        .run();
        return published == 1;
    }

    /** Adds a look-up, under the organization's clock, of those segments that are still live, with their deletions. */
    public static RoundTrip.Result<Segment> prefetchLive(RoundTrip opening, View view, List<Segment> segments) {
        return opening.query(view, STILL_LIVE, segments, SegmentSql::segment);
    }

    /** Adds a look-up of all blocks of some segments, in no order, and at most {@code most} of them. */
    public static RoundTrip.Result<FoundBlock> prefetchBlocks(
            RoundTrip trip, View view, List<Segment> segments, int most) {
        return trip.query(
                view,
                BLOCKS,
                segments,
                row -> new FoundBlock(row.uuid("scope_id"), row.longer("run"), block(row)),
                "most",
                most);
    }

    /** Adds the retirement of segments that were replaced: searches that begin later do not read them. */
    public static void retire(RoundTrip writes, View view, List<Segment> segments) {
        writes.change(view, RETIRE, segments);
    }

    /** Adds blocks to a hidden segment; false when its removal is due or done. */
    public static boolean appendBlocks(Tx tx, View view, Segment segment, List<PostingsBlock> blocks) {
        boolean exists = !tx.sql(
                        view,
                        "select r.run from search_run r where {r} and r.scope_id = :scope and r.run = :run" + HIDDEN
                                + " for update")
                .bind("scope", segment.scope())
                .bind("run", segment.number())
                .list(row -> row.longer("run"))
                .isEmpty();
        if (exists) {
            RoundTrip trip = tx.roundTrip();
            blocks(trip, view, segment, blocks);
            trip.run();
        }
        return exists;
    }

    private static Segment segment(Row row) {
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

    /** Retires all segments of a deleted scope. */
    public static void dropAll(Tx tx, UUID organization, UUID scope) {
        tx.sql(
                        View.of(organization),
                        "update search_run r set live = false, drop_at = {now}"
                                + " where {r} and r.scope_id = :scope and r.live")
                .bind("scope", scope)
                .run();
    }
}
