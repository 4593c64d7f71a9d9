package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.link.Links;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.payload.ReceivedPayloads;
import dev.inboxd.net.Dns;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetRules;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What became of attempts of many organizations is written together, and nothing of one holds another. */
class ResultWriterDbTest {
    private static final int ORGANIZATIONS = 40;
    private static final int EACH = 3;

    @RegisterExtension
    private static final World world = World.start();

    private static Database database;
    private static Nodes nodes;
    private static DeliveryCancellation cancelling;
    private static SafeHttp http;
    private static Blobs blobs;
    private static final List<UUID> organizations = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        database = world.database();
        IntStream.range(0, ORGANIZATIONS).forEach(_ -> world.otherOrganization());
        organizations.addAll(database.read(tx -> tx.sqlAcrossTenants(
                        "select o.organization_id from organization o" + " where o.organization_id <> :first")
                .bind("first", world.organization())
                .list(row -> row.uuid("organization_id"))));
        nodes = new Nodes(database);
        DueWork due = new DueWork(database);
        Jobs jobs = new Jobs(database, due, nodes::claimant);
        http = new SafeHttp(
                TargetRules.DEVELOPMENT, new Dns(world.dns().servers(), Duration.ofSeconds(5)), "inboxd/test");
        blobs = Blobs.at(world.folder().resolve("blobs").toString());
        Payloads payloads = new Payloads(new ReceivedPayloads(
                database,
                new MessageContents(blobs),
                new Links(URI.create("http://localhost"), world.vault().deriveAll("links"), world.clock())));
        cancelling = new DeliveryCancellation(
                jobs,
                new DeliveryDispatcher(
                        new DeliveryDispatcher.Parts(
                                database,
                                payloads,
                                new WebhookPoster(http, world.vault(), world.clock(), nodes, AttemptFaults.NONE),
                                due,
                                jobs,
                                HostLimiter.USUAL),
                        new Metrics()));
    }

    @AfterAll
    static void stop() {
        http.close();
        blobs.close();
    }

    @Test
    void outcomesOfManyOrganizationsShareCommitsAndEachWebhookForgetsItsOwnFailures() {
        List<WebhookDelivery> all = waiting("ep_joint", "{now} - interval '1 day'");
        int healthy = all.size() - EACH; // the last organization's is left failing
        settle(settlements -> {
            all.subList(0, healthy).forEach(each -> settlements.succeeded(made(each, null)));
            Eventually.await(() -> left("ep_joint") == EACH);
        });
        assertThat(attempts("ep_joint")).isEqualTo(healthy);
        assertThat(count("(select distinct a.xmin::text from delivery_attempt a where a.webhook_id = 'ep_joint') as t"))
                .as("transactions")
                .isPositive()
                .isLessThan(organizations.size() / 2);
        assertThat(count("webhook w where w.webhook_id = 'ep_joint' and w.failing_since is null"))
                .isEqualTo(organizations.size() - 1);
    }

    @Test
    @Proves("P8")
    void aDatabaseThatFailsInBetweenLosesNothing() {
        List<WebhookDelivery> all = waiting("ep_broken", "null");
        settle(settlements -> {
            database.runGlobal(tx -> {
                tx.sqlAcrossTenants("lock table delivery_attempt in share mode").run(); // no attempt can be written
                all.forEach(each -> settlements.succeeded(made(each, null)));
                Set<Integer> ended = new HashSet<>(); // of the one that came first, and of those that are together
                Eventually.await(() ->
                        ended.addAll(tx.sqlAcrossTenants("select l.pid, pg_terminate_backend(l.pid) from pg_locks l"
                                                + " where not l.granted and l.relation = 'delivery_attempt'::regclass")
                                        .list(row -> row.integer("pid")))
                                && ended.size() > 1);
                assertThat(left("ep_broken")).isEqualTo(all.size());
            });
            Eventually.await(() -> left("ep_broken") == 0);
        });
        assertThat(attempts("ep_broken")).isEqualTo(all.size());
    }

    /** U+0000 is in no text of PostgreSQL: whatever is written with it is refused, each time. */
    @Test
    void whatIsRefusedOfOneOrganizationIsNoOthersLoss() {
        List<WebhookDelivery> all = waiting("ep_spoilt", "null");
        WebhookDelivery spoilt = all.getFirst();
        settle(settlements -> {
            all.forEach(each -> settlements.succeeded(made(each, each.equals(spoilt) ? "\u0000" : null)));
            Eventually.await(() -> left("ep_spoilt") == EACH);
        });
        assertThat(left("ep_spoilt", spoilt.organization()))
                .as("are delivered again")
                .isEqualTo(EACH);
        assertThat(attempts("ep_spoilt")).isEqualTo(all.size() - EACH);
    }

    @Test
    void anOrganizationWhoseClockIsTakenHoldsNoOther() {
        List<WebhookDelivery> all = waiting("ep_held", "null");
        UUID held = all.getFirst().organization();
        settle(settlements -> {
            database.run(held, tx -> {
                all.forEach(each -> settlements.succeeded(made(each, null)));
                Eventually.await(() -> left("ep_held") == EACH);
                assertThat(left("ep_held", held)).isEqualTo(EACH);
            });
            Eventually.await(() -> left("ep_held") == 0);
        });
        assertThat(attempts("ep_held")).isEqualTo(all.size());
    }

    @Test
    @Proves("P8")
    void whatHasGatheredIsWrittenBeforeTheEnd() {
        List<WebhookDelivery> all = waiting("ep_closed", "null");
        settle(settlements -> all.forEach(each -> settlements.succeeded(made(each, null))));
        assertThat(left("ep_closed")).isZero();
        assertThat(attempts("ep_closed")).isEqualTo(all.size());
    }

    /** Rooms refused, failures and what disables travel together too. */
    @Test
    @Proves("P8")
    void organizationsThatFailedForTooLongAreDisabledAndCalledOff() {
        List<WebhookDelivery> all = waiting("ep_failing", "{now} - make_interval(days => 6)");
        int last = all.size() - EACH;
        settle(settlements -> {
            all.subList(0, last).stream()
                    .filter(each -> each.seq() == 1)
                    .forEach(each ->
                            settlements.failed(ResultWriter.FailedAttempt.of(made(each, "status 500"), new byte[1])));
            settlements.refused(all.getLast());
            Eventually.await(() -> count("webhook w where w.webhook_id = 'ep_failing' and not w.enabled"
                            + " and w.disabled_at is not null")
                    == organizations.size() - 1);
            Eventually.await(() -> left("ep_failing") == EACH);
        });
        assertThat(count("webhook w where w.webhook_id = 'ep_failing' and w.enabled"))
                .isOne();
    }

    private static void settle(Consumer<ResultWriter> work) {
        ResultWriter settlements = new ResultWriter(database, nodes, cancelling);
        work.accept(settlements);
        settlements.close();
    }

    private static AttemptResult made(WebhookDelivery delivery, @Nullable String error) {
        return new AttemptResult(
                delivery, Instant.now().truncatedTo(ChronoUnit.MICROS), error == null ? 200 : 500, error, 1, null);
    }

    /** Deliveries that this node is about to make, some of each organization. */
    private static List<WebhookDelivery> waiting(String webhook, String failingSince) {
        List<WebhookDelivery> all = new ArrayList<>();
        for (UUID organization : organizations) {
            View view = View.of(organization);
            database.write(
                    organization,
                    tx -> tx.sql(view, """
                    insert into webhook (organization_id, webhook_id, url, secret, enabled, event_types, failing_since,
                                         created_at, updated_at)
                    values ({organization}, :id, 'http://127.0.0.1:1/', ''::bytea, true, array['message.sent'], SINCE,
                            {now}, {now})""".replace("SINCE", failingSince))
                                    .bind("id", webhook)
                                    .run()
                            + tx.sql(view, """
                    insert into delivery (organization_id, seq, webhook_id, due_at, claimed_by, created_at)
                    select {organization}, n, :id, {now} + interval '1 hour', :node, {now}
                    from generate_series(1, :each) as n""")
                                    .bind("id", webhook)
                                    .bind("node", nodes.self())
                                    .bind("each", EACH)
                                    .run());
            for (int seq = 1; seq <= EACH; seq++) {
                all.add(new WebhookDelivery(
                        organization, webhook, seq, 0, null, false, WebhookDelivery.startBy(WebhookDelivery.LEASE)));
            }
        }
        return all;
    }

    private static int left(String webhook) {
        return count("delivery d where d.webhook_id = '" + webhook + "'");
    }

    private static int left(String webhook, UUID organization) {
        return count(
                "delivery d where d.webhook_id = '" + webhook + "' and d.organization_id = '" + organization + "'");
    }

    private static int attempts(String webhook) {
        return count("delivery_attempt a where a.webhook_id = '" + webhook + "'");
    }

    private static int count(String which) {
        return database.read(
                tx -> tx.sqlAcrossTenants("select count(*) as n from " + which).single(row -> row.integer("n")));
    }
}
