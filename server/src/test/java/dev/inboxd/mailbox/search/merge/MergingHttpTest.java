package dev.inboxd.mailbox.search.merge;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentSql;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What merging leaves behind: every hit, and no row that nobody reads. */
class MergingHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Tag("long")
    void mergingKeepsEveryHitAndLeavesNoBlockThatNobodyReads() {
        String inbox = world.inbox("many");
        for (int i = 0; i < 40; i++) {
            send(inbox, "plover " + i, "number" + i + " stilt" + (i % 7 == 0 ? " avocet" : ""));
            int sent = i + 1;
            if (i % 3 == 2) { // a run of its own
                Eventually.await(() -> indexed(inbox) == sent);
            }
        }
        Eventually.await(() -> blocks("not r.live") == 0);
        assertThat(blocks("r.run is null")).isZero();
        assertThat(hits(inbox, "plover", 100)).isEqualTo(40);
        assertThat(hits(inbox, "stilt", 100)).isEqualTo(40);
        assertThat(hits(inbox, "avocet", 100)).isEqualTo(6);
        for (int i = 0; i < 40; i++) {
            assertThat(hits(inbox, "number" + i, 20)).isEqualTo(1);
        }
    }

    @Test
    @Tag("long")
    void whatWasReplacedIsRemovedWhileAnotherWriterHasTheOrganizationsClock() {
        UUID scope = UUID.randomUUID();
        List<Segment> runs = IntStream.rangeClosed(1, 3)
                .mapToObj(i -> new Segment(scope, i, 1, Instant.now()))
                .toList();
        boolean removed = world.database().write(world.organization(), _ -> {
            world.database().writeGlobal(other -> {
                View view = View.of(world.organization());
                RoundTrip trip = other.roundTrip();
                SegmentSql.insertHidden(trip, view, runs);
                for (Segment run : runs) {
                    List<PostingsBlock> blocks = IntStream.range(0, 1_500)
                            .mapToObj(i -> new PostingsBlock(i, i, new byte[] {1}))
                            .toList();
                    SegmentSql.blocks(trip, view, run, blocks);
                }
                trip.run();
                return other.sql(view, "update search_run r set drop_at = {now} where {r} and r.scope_id = :scope")
                        .bind("scope", scope)
                        .run();
            });
            Eventually.await(() -> count("search_block", scope) == 0 && count("search_run", scope) == 0);
            return true;
        });
        assertThat(removed).isTrue();
    }

    @Test
    void aRunThatWasGivenUpIsNotWrittenOn() {
        View view = View.of(world.organization());
        Segment run = new Segment(UUID.randomUUID(), 1, 1, Instant.now());
        PostingsBlock block = new PostingsBlock(7, 0, new byte[] {1});
        boolean written = world.database().writeGlobal(tx -> SegmentSql.appendBlocks(tx, view, run, List.of(block)));
        assertThat(written).isFalse();
        assertThat(count("search_block", run.scope())).isZero();
    }

    @Test
    void aWordInTheBodyOfSomeAndTheSubjectOfOthersRanksThemAsTheirRowsSay() {
        String inbox = world.inbox("ranks");
        for (int i = 0; i < 6; i++) {
            send(inbox, i % 3 == 0 ? "dotterels " + i : "other " + i, i == 3 ? "-" : "dotterel");
        }
        Eventually.await(() -> indexed(inbox) == 6);
        assertThat(search(inbox, "dotterel", 10).stream()
                        .<Object>map(each -> ((Map<?, ?>) each).get("subject"))
                        .toList())
                .isEqualTo(List.of("dotterels 3", "dotterels 0", "other 5", "other 4", "other 2", "other 1"));
    }

    private static void send(String inbox, String subject, String text) {
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "jo@elsewhere.test", "subject", subject, "text", text))
                .is(200);
    }

    private static int hits(String inbox, String word, int limit) {
        return search(inbox, word, limit).size();
    }

    private static List<?> search(String inbox, String word, int limit) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/search?q=" + URLEncoder.encode(word, StandardCharsets.UTF_8)
                        + "&limit=" + limit)
                .is(200)
                .list("messages");
    }

    private static int indexed(String inbox) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select coalesce(sum(r.documents), 0)::integer as n from search_run r"
                                + " join inbox i on i.inbox_id = r.scope_id where r.live and i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.integer("n")));
    }

    /** Blocks whose run, if there is one, is such a one. */
    private static int blocks(String which) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select count(*)::integer as n from search_block b left join search_run r"
                                        + " on r.organization_id = b.organization_id and r.scope_id = b.scope_id"
                                        + " and r.run = b.run where "
                                        + which)
                        .single(row -> row.integer("n")));
    }

    private static int count(String table, UUID scope) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select count(*)::integer as n from " + table + " where scope_id = :scope")
                        .bind("scope", scope)
                        .single(row -> row.integer("n")));
    }
}
