package dev.inboxd.mailbox.search.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mailbox.search.IndexLag;
import dev.inboxd.mailbox.search.SearchProbe;
import dev.inboxd.mailbox.search.merge.MergeScheduler;
import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the index follows what is stored, and what is deleted. */
class SearchIndexHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static SearchProbe search;

    @BeforeAll
    static void start() {
        search = new SearchProbe(world);
    }

    @Test
    @Tag("long")
    void manyRunsAreMergedAndFindTheSame() {
        String inbox = world.inbox("merged");
        for (int i = 0; i < 12; i++) {
            search.send(inbox, "badger " + i, "number" + i);
            search.found(inbox, "number" + i, 1);
        }
        assertThat(search.found(inbox, "badger", 12).at("count")).isEqualTo(12L);
        Eventually.await(() -> liveRuns(inbox) < MergeScheduler.FEW);
        assertThat(search.messages(inbox, "badger").list("messages")).hasSize(12);
    }

    private static int liveRuns(String inbox) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*)::integer as n from search_run r join inbox i"
                                + " on i.inbox_id = r.scope_id where r.live and i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.integer("n")));
    }

    @Test
    @Proves("P1c")
    void mailThatWasCommittedWhileNothingIndexedIsFoundAfterTheNextStart() {
        String inbox = world.inbox("crash");
        search.send(inbox, "lynx before", "-");
        search.found(inbox, "lynx", 1);
        // As if the process had died between the commit and the batch: the rows alone must tell.
        world.database()
                .writeGlobal(
                        tx -> tx.sqlAcrossTenants("delete from search_progress").run());
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("delete from search_run").run());
        assertThat(search.messages(inbox, "lynx").list("messages")).isEmpty();
        world.restart();
        assertThat(search.subjects(search.found(inbox, "lynx", 1))).containsExactly("lynx before");
    }

    @Test
    @Tag("long")
    void aDeletedInboxLeavesNoTextAndNoRunOfItsOwn() {
        String inbox = world.inbox("gone");
        search.send(inbox, "kestrel", "kestrelbody");
        search.found(inbox, "kestrelbody", 1);
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        assertThat(search.threads("/v0/threads", "kestrel").list("threads")).isEmpty();
        Eventually.value(SearchProbe.FRESH, search::texts, texts -> texts == 0);
        // Words of it go with a merge of their segment, which may come later; the runs of its own go with it.
        Eventually.isMet(SearchProbe.FRESH, () -> strangersInTheIndex() == 0);
        assertThat(runsOfNoInbox()).isZero();
    }

    private static int runsOfNoInbox() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from search_run r where r.live and not exists"
                                + " (select 1 from inbox i where i.inbox_id = r.scope_id and not i.deleting)"
                                + " and not exists (select 1 from pod p where p.pod_id = r.scope_id)"
                                + " and r.scope_id <> r.organization_id")
                        .single(row -> row.integer("n")));
    }

    /** Messages that are named in a live run of the index, and are not there any more. */
    private static int strangersInTheIndex() {
        return world.database().read(tx -> {
            Set<UUID> there = Set.copyOf(
                    tx.sqlAcrossTenants("select m.message_id from message m").list(row -> row.uuid("message_id")));
            return (int) tx
                    .sqlAcrossTenants("select r.documents, b.content from search_run r join search_block b"
                            + " on b.organization_id = r.organization_id and b.scope_id = r.scope_id and b.run = r.run"
                            + " and b.key < 0 where r.live")
                    .list(row -> row.bytes("content"))
                    .stream()
                    .flatMap(block ->
                            IntStream.range(0, block.length / 16).mapToObj(i -> DocumentBlocks.message(block, i)))
                    .filter(message -> !there.contains(message))
                    .count();
        });
    }

    @Test
    @Tag("long")
    void aDeletedMessageLeavesTheIndexItselfWithinADay() {
        String inbox = world.inbox("forgotten");
        search.send(inbox, "wryneck", "wryneckbody");
        search.send(inbox, "hoopoe", "hoopoebody");
        String id = search.found(inbox, "wryneckbody", 1).text("messages.0.message_id");
        search.found(inbox, "hoopoebody", 1);
        world.http()
                .delete("/v0/inboxes/" + inbox + "/messages/" + search.encoded(id))
                .is(200);
        assertThat(strangersInTheIndex()).isPositive();
        world.advance(Duration.ofHours(13));
        Eventually.value(SearchIndexHttpTest::strangersInTheIndex, strangers -> strangers == 0);
        assertThat(search.subjects(search.found(inbox, "hoopoe", 1))).containsExactly("hoopoe");
    }

    @Test
    @Tag("long")
    void aBacklogOfManyBatchesIsIndexedWholeThoughSomeOfItIsDeleted() {
        String inbox = world.inbox("backlog");
        String gone = world.inbox("backlog-gone");
        List<String> both = List.of(inbox, gone);
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            for (int i = 0; i < 200; i++) {
                assertThat(probe.send(
                                "jo@example.com",
                                both,
                                "From: jo@example.com\r\nMessage-ID: <" + i + "@backlog.test>\r\nSubject: dunlin " + i
                                        + "\r\n\r\n-\r\n"))
                        .startsWith("250");
            }
        }
        Eventually.await(() -> behind() == 0);
        // All is to be indexed anew, and of every full batch something is not there any more.
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("update inbox set deleting = true where address = :address")
                        .bind("address", gone)
                        .run());
        world.database()
                .writeGlobal(
                        tx -> tx.sqlAcrossTenants("delete from search_progress").run());
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("delete from search_run").run());
        search.send(inbox, "dunlin last", "-");
        Eventually.await(() -> behind() == 0);
        assertThat(runDocuments(inbox)).isEqualTo(201);
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("update inbox set deleting = false where address = :address")
                        .bind("address", gone)
                        .run());
    }

    private static long behind() {
        return IndexLag.behind(world);
    }

    private static int runDocuments(String inbox) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select coalesce(sum(r.documents), 0)::integer as n from search_run r"
                                + " join inbox i on i.inbox_id = r.scope_id where r.live and i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.integer("n")));
    }
}
