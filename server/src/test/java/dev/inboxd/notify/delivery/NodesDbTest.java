package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.event.EventLog;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several nodes on one database share the deliveries, and inherit from one another. */
class NodesDbTest {
    /** The nodes of one database deliver each row once, whichever of them finds it. */
    @Test
    @Tag("long")
    @Proves("P8b")
    void twoNodesShareTheWorkWithoutDoublingIt() throws IOException {
        int many = 400;
        try (World one = World.start();
                World two = one.beside();
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = one.inbox("shared");
            TestWebhook hook = TestWebhook.of(one, endpoint, inbox);
            UUID organization = one.organization();
            // Due rows that neither node has heard of, as an outage of both leaves them.
            for (int i = 0; i < many; i++) {
                one.mail("jo@example.com", inbox, TestMail.of("<n" + i + "@x.test>", "Hello.\n"));
                endpoint.take();
            }
            hook.settled();
            one.database()
                    .write(
                            organization,
                            tx -> tx.sql(View.of(organization), """
                    insert into delivery (organization_id, seq, webhook_id, due_at, message_id, created_at)
                    select e.organization_id, e.seq, :webhook, {now}, e.message_id, {now} from event e
                    where {e} and e.type like 'message.received%'""")
                                    .bind("webhook", hook.id())
                                    .run());
            Set<String> ids = new HashSet<>();
            for (int i = 0; i < many; i++) {
                assertThat(ids.add(TestWebhook.field(endpoint.take(), "svix-id")))
                        .isTrue();
            }
            hook.settled();
            assertThat(endpoint.received()).isEmpty();
            assertThat(two.database().isReachable()).isTrue();
        }
    }

    /**
     * What a process that died was about to deliver is delivered by another within ten seconds, not after its lease.
     */
    @Test
    @Tag("long")
    @Proves("P8b")
    void aNodeThatDiesHandsOverWithinTenSeconds() throws IOException {
        try (World world = World.start();
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("inherits");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<heir@x.test>", "Hello.\n"));
            endpoint.take();
            hook.settled();
            UUID organization = world.organization();
            UUID dead = UUID.randomUUID();
            // A node that claimed a delivery, for its first attempt and with all of its lease left, and then showed
            // itself
            // no more.
            world.database()
                    .write(
                            organization,
                            tx -> tx.sql(View.of(organization), """
                    insert into delivery (organization_id, seq, webhook_id, due_at, claimed_by, message_id, created_at)
                    select e.organization_id, e.seq, :webhook, {now} + make_interval(secs => :lease), :dead,
                    e.message_id,
                           {now}
                    from event e where {e} and e.type like 'message.received%'""")
                                    .bind("webhook", hook.id())
                                    .bind("lease", (double) EventLog.LEASE.toSeconds())
                                    .bind("dead", dead)
                                    .run());
            world.database()
                    .writeGlobal(tx -> tx.sql(
                                    "insert into node (node_id, seen_at)" + " values (:dead, statement_timestamp())")
                            .bind("dead", dead)
                            .run());
            assertThat(endpoint.take(Duration.ofSeconds(10)).text()).contains("<heir@x.test>");
            hook.settled();
            Eventually.await(() -> world.database()
                    .read(tx -> tx.sql("select 1 as one from node where node_id = :dead")
                            .bind("dead", dead)
                            .first(row -> row.integer("one")))
                    .isEmpty());
        }
    }

    /** A node that leaves in order hands over at once, and one that shows itself keeps what it has. */
    @Test
    @Proves("P8b")
    void whoLeavesIsInheritedFromAtOnceAndWhoLivesIsNot() {
        try (World world = World.start()) {
            List<UUID> inherited = new ArrayList<>();
            Set<UUID> buried = ConcurrentHashMap.newKeySet();
            Nodes stays = new Nodes(world.database());
            stays.onDeath(buried::add);
            Nodes leaves = new Nodes(world.database());
            leaves.onDeath(inherited::add);
            stays.start();
            leaves.start();
            assertThat(stays.isAlive()).isTrue();
            UUID self = leaves.self();
            assertThat(self).isNotEqualTo(stays.self());
            leaves.close();
            assertThat(inherited).containsExactly(self);
            List<UUID> living = world.database()
                    .read(tx -> tx.sql("select node_id from node").list(row -> row.uuid("node_id")));
            assertThat(living).contains(stays.self()).doesNotContain(self);
            assertThat(buried).doesNotContain(self);
            stays.close();
        }
    }
}
