package dev.inboxd.search;

import dev.inboxd.database.Batched;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Row;
import dev.inboxd.database.Statement;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The rows of runs and of their blocks. The view is always a whole organization; the scope is named beside it. */
final class RunSql {
    /** A search that began before a run was replaced reads on in it; none takes so long. */
    private static final String STILL_READ = "interval '5 seconds'";

    private static final Batched<Run> INSERT_LIVE = inserting("true, null::timestamptz");

    /** A run whose writing takes longer than an hour was given up by a process that is gone. */
    private static final Batched<Run> INSERT_HIDDEN = inserting("false, {now} + interval '1 hour'");

    private static final Batched<Piece> INSERT_BLOCKS = Batched.of("""
            insert into search_block (organization_id, scope_id, run, key, part, content)
            select {organization}, r.* from {rows} as r""",
            Batched.uuid("scope", piece -> piece.run.scope()), Batched.bigint("run", piece -> piece.run.number()),
            Batched.bigint("key", piece -> piece.block.key()), Batched.integer("part", piece -> piece.block.part()),
            Batched.bytes("content", piece -> piece.block.content()));

    private static final String NAMED = """
             from unnest(:scopes::uuid[], :runs::bigint[]) as w (scope_id, run)
            join search_run r on r.scope_id = w.scope_id and r.run = w.run where {r}""";

    private static final String REMOVE_BLOCKS = """
            with gone as materialized (
                select x.scope_id, x.run, x.key, x.part
                from unnest(:scopes::uuid[], :runs::bigint[]) as w (scope_id, run)
                join search_block x on x.scope_id = w.scope_id and x.run = w.run where {x} limit :slice)
            delete from search_block b using gone g
            where {b} and b.scope_id = g.scope_id and b.run = g.run and b.key = g.key and b.part = g.part""";

    private RunSql() {}

    private static Batched<Run> inserting(String liveAndDropped) {
        return Batched.of("insert into search_run (organization_id, scope_id, run, documents, newest, live, drop_at)"
                + " select {organization}, r.*, " + liveAndDropped + " from {rows} as r",
                Batched.uuid("scope", Run::scope), Batched.bigint("run", Run::number),
                Batched.integer("documents", Run::documents), Batched.time("newest", Run::newest));
    }

    /** A block and what it is of. */
    private record Piece(Run run, Block block) {}

    /** Adds whole runs, live at once. */
    static void insert(RoundTrip trip, View view, List<Run.Whole> wholes) {
        trip.change(view, INSERT_LIVE, wholes.stream().map(Run.Whole::run).toList());
        trip.change(view, INSERT_BLOCKS, wholes.stream()
                .flatMap(whole -> whole.blocks().stream().map(block -> new Piece(whole.run(), block))).toList());
    }

    /** Adds runs without blocks, which nobody sees before {@link #publish}. */
    static void insertHidden(RoundTrip trip, View view, List<Run> runs) {
        trip.change(view, INSERT_HIDDEN, runs);
    }

    /** Adds blocks of one run. */
    static void blocks(RoundTrip trip, View view, Run run, List<Block> blocks) {
        trip.change(view, INSERT_BLOCKS, blocks.stream().map(block -> new Piece(run, block)).toList());
    }

    /** The live runs of a scope, the newest first. */
    static List<Run> live(Tx tx, UUID organization, UUID scope) {
        return tx.sql(View.of(organization), "select r.scope_id, r.run, r.documents, r.newest, r.deleted from search_run r"
                + " where {r} and r.scope_id = :scope and r.live order by r.newest desc")
                .bind("scope", scope).list(RunSql::run);
    }

    /** A run of any organization that is to be written anew. */
    record Stale(UUID organization, Run run) {}

    /** Runs of any organization in which messages were deleted that long ago, or longer. */
    static List<Stale> stale(Tx tx, Duration ago, int limit) {
        return tx.sqlAcross("select r.organization_id, r.scope_id, r.run, r.documents, r.newest, r.deleted from search_run r"
                + " where r.live and r.stale_at <= {now} - make_interval(secs => :ago) order by r.stale_at limit :limit")
                .bind("ago", ago.toSeconds()).bind("limit", limit)
                .list(row -> new Stale(row.uuid("organization_id"), run(row)));
    }

    /** The index of one inbox, pod or organization. */
    record Scope(UUID organization, UUID scope) {}

    /** Which of these have that many live runs or more. */
    static List<Scope> crowded(Tx tx, Collection<Scope> scopes, int many) {
        return tx.sqlAcross("select r.organization_id, r.scope_id"
                + " from unnest(:organizations::uuid[], :scopes::uuid[]) as w (organization_id, scope_id)"
                + " join search_run r on r.organization_id = w.organization_id and r.scope_id = w.scope_id"
                + " where r.live group by r.organization_id, r.scope_id having count(*) >= :many")
                .bind("organizations", scopes.stream().map(Scope::organization).toArray(UUID[]::new))
                .bind("scopes", scopes.stream().map(Scope::scope).toArray(UUID[]::new)).bind("many", many)
                .list(row -> new Scope(row.uuid("organization_id"), row.uuid("scope_id")));
    }

    /** A piece of a run's blocks of terms, behind the given place. */
    static List<Block> blocksAfter(Tx tx, UUID organization, Run run, Block last, int limit) {
        return tx.sql(View.of(organization), "select b.key, b.part, b.content from search_block b where {b}"
                + " and b.scope_id = :scope and b.run = :run and (b.key, b.part) > (:key, :part)"
                + " order by b.key, b.part limit :limit")
                .bind("scope", run.scope()).bind("run", run.number()).bind("key", last.key()).bind("part", last.part())
                .bind("limit", limit).list(RunSql::block);
    }

    /** The messages of some runs of a scope, by the run's number, oldest first. */
    static Map<Long, List<byte[]>> documents(Tx tx, UUID organization, List<Run> runs) {
        Map<Long, List<byte[]>> documents = new HashMap<>();
        tx.sql(View.of(organization), "select b.run, b.content from search_block b where {b} and b.scope_id = :scope"
                + " and b.run = any (:runs) and b.key < 0 order by b.run, b.key")
                .bind("scope", runs.getFirst().scope()).bind("runs", runs.stream().map(Run::number).toArray(Long[]::new))
                .list(row -> Map.entry(row.longer("run"), row.bytes("content")))
                .forEach(block -> documents.computeIfAbsent(block.getKey(), _ -> new ArrayList<>()).add(block.getValue()));
        return documents;
    }

    /**
     * Makes a run seen in the place of others; tells whether all of these were still there. What was deleted in them
     * while it was written is in it.
     */
    static boolean publish(Tx tx, View view, Run run, List<Run> replaced) {
        Long[] numbers = replaced.stream().map(Run::number).toArray(Long[]::new);
        int known = replaced.stream().mapToInt(Run::deleted).sum();
        int deleted = tx.sql(view, "select coalesce(sum(r.deleted), 0)::integer as deleted from search_run r where {r}"
                + " and r.scope_id = :scope and r.run = any (:runs)").bind("scope", run.scope()).bind("runs", numbers)
                .one(row -> row.integer("deleted"));
        int retired = tx.sql(view, "update search_run r set live = false, drop_at = {now} + " + STILL_READ
                + " where {r} and r.scope_id = :scope and r.run = any (:runs) and r.live")
                .bind("scope", run.scope()).bind("runs", numbers).run();
        int published = retired < numbers.length ? 0 : tx.sql(view, "update search_run r set live = :some,"
                + " drop_at = case when :some then null else {now} end, deleted = :deleted,"
                + " stale_at = case when :deleted > 0 then {now} end where {r} and r.scope_id = :scope and r.run = :run")
                .bind("some", run.documents() > 0).bind("deleted", deleted - known)
                .bind("scope", run.scope()).bind("run", run.number()).run();
        return published == 1;
    }

    /** A run that waits for its removal. */
    record Dropped(UUID organization, UUID scope, long number) {}

    /** Runs of any organization that nobody reads any more. */
    static List<Dropped> dropped(Tx tx, int limit) {
        return tx.sqlAcross("select r.organization_id, r.scope_id, r.run from search_run r where r.drop_at <= {now}"
                + " order by r.organization_id limit :limit").bind("limit", limit)
                .list(row -> new Dropped(row.uuid("organization_id"), row.uuid("scope_id"), row.longer("run")));
    }

    /**
     * Removes at most so many blocks of an organization's runs that nobody reads, and the runs when none was left;
     * those that another node removes are left to it.
     *
     * @return how many blocks went
     */
    static int remove(Tx tx, UUID organization, List<Dropped> runs, int slice) {
        View view = View.of(organization);
        List<Dropped> ours = named(tx.sql(view, "select r.organization_id, r.scope_id, r.run" + NAMED
                + " and not r.live for update of r skip locked"), runs)
                .list(row -> new Dropped(row.uuid("organization_id"), row.uuid("scope_id"), row.longer("run")));
        if (ours.isEmpty()) {
            return 0;
        }
        int blocks = named(tx.sql(view, REMOVE_BLOCKS), ours).bind("slice", slice).run();
        if (blocks < slice) {
            named(tx.sql(view, "delete from search_run r using unnest(:scopes::uuid[], :runs::bigint[])"
                    + " as w (scope_id, run) where {r} and r.scope_id = w.scope_id and r.run = w.run"), ours).run();
        }
        return blocks;
    }

    private static Statement named(Statement statement, List<Dropped> runs) {
        return statement.bind("scopes", runs.stream().map(Dropped::scope).toArray(UUID[]::new))
                .bind("runs", runs.stream().map(Dropped::number).toArray(Long[]::new));
    }

    /** Adds blocks to a run that nobody sees yet, and tells whether it is still there to be written. */
    static boolean more(Tx tx, View view, Run run, List<Block> blocks) {
        boolean there = !tx.sql(view, "select r.run from search_run r where {r} and r.scope_id = :scope and r.run = :run"
                + " and not r.live for update").bind("scope", run.scope()).bind("run", run.number())
                .list(row -> row.longer("run")).isEmpty();
        if (there) {
            RoundTrip trip = tx.roundTrip();
            blocks(trip, view, run, blocks);
            trip.run();
        }
        return there;
    }

    private static Run run(Row row) {
        return new Run(row.uuid("scope_id"), row.longer("run"), row.integer("documents"), row.instant("newest"),
                row.integer("deleted"));
    }

    private static Block block(Row row) {
        return new Block(row.longer("key"), row.integer("part"), row.bytes("content"));
    }

    /** Gives up every run of a scope that is gone. */
    static void dropAll(Tx tx, UUID organization, UUID scope) {
        tx.sql(View.of(organization), "update search_run r set live = false, drop_at = {now}"
                + " where {r} and r.scope_id = :scope and r.live").bind("scope", scope).run();
    }
}
