package dev.inboxd.server;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseProxy;
import dev.inboxd.testing.TestPostgres;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The nodes of a Citus cluster, which suite/citus names: each is an entrance, and a worker may go and come back. */
class CitusNodesDbTest {
    private static final String MAIL = "From: jo@x.test\nSubject: %s\nMessage-ID: <%1$s@x.test>\n\nHello\n";
    private static final int MAILS = 10;

    @BeforeEach
    void citus() {
        assumeTrue(TestPostgres.isOnCitus(), "needs Citus (suite/citus)");
    }

    private static List<String> subjects(World world, String inbox) {
        return world
                .http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&labels=received")
                .is(200)
                .list("messages")
                .stream()
                .map(message -> String.valueOf(((Map<?, ?>) message).get("subject")))
                .toList();
    }

    private static Database.Location through(String node, Database.Location location) {
        String name = location.url().replaceFirst("^jdbc:postgresql://[^/]*/", "");
        return new Database.Location(node + name, location.user(), location.password(), location.connections());
    }

    @Test
    void eachNodeIsAnEntrance() {
        for (String node : TestPostgres.nodes()) {
            try (World world = World.start(Map.of(), location -> through(node, location))) {
                String from = world.inbox("from");
                String to = world.inbox("to");
                assertThat(world.mail("jo@x.test", to, MAIL.formatted("in"))).startsWith("250");
                world.http()
                        .post("/v0/inboxes/" + from + "/messages/send", json("to", to, "subject", "out", "text", "x"))
                        .is(200);
                await(() -> subjects(world, to).size() == 2);
                assertThat(subjects(world, to)).as(node).containsExactlyInAnyOrder("in", "out");
            }
        }
    }

    /** The cluster reaches a worker of this database through a cable from now on. */
    private static void lay(DatabaseProxy cable, Database.Location location, String worker) {
        URI place = URI.create(worker.substring("jdbc:".length()));
        URI detour = URI.create(cable.before(through(worker, location)).url().substring("jdbc:".length()));
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                Statement statement = connection.createStatement()) {
            statement.execute("select citus_update_node(nodeid, nodename, %d) from pg_dist_node where nodeport = %d"
                    .formatted(detour.getPort(), place.getPort()));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void ofAWorkerThatIsAwayAndBackNothingAcceptedIsLost() {
        List<DatabaseProxy> cables = new ArrayList<>();
        try (World world = World.start(Map.of(), location -> {
            for (String worker :
                    TestPostgres.nodes().subList(1, TestPostgres.nodes().size())) {
                DatabaseProxy cable = new DatabaseProxy();
                lay(cable, location, worker);
                cables.add(cable);
            }
            return location;
        })) {
            String inbox = world.inbox("away");
            List<String> accepted = new ArrayList<>();
            int refused = 0;
            for (DatabaseProxy cable : cables) {
                cable.cut();
                for (int i = 0; i < MAILS; i++) {
                    String subject = cables.indexOf(cable) + "-" + i;
                    String reply = world.mail("jo@x.test", inbox, MAIL.formatted(subject));
                    assertThat(reply).matches("(?s)(250|451) .*");
                    if (reply.startsWith("250")) {
                        accepted.add(subject);
                    } else {
                        refused++;
                    }
                }
                cable.mend();
                await(() -> world.mail("jo@x.test", inbox, MAIL.formatted("back" + cables.indexOf(cable)))
                        .startsWith("250"));
                accepted.add("back" + cables.indexOf(cable));
            }
            // One worker has the organization: without that one nothing is accepted, and without another everything.
            assertThat(refused).isBetween(1, MAILS);
            await(() -> subjects(world, inbox).size() == accepted.size());
            assertThat(subjects(world, inbox)).containsExactlyInAnyOrderElementsOf(accepted);
        } finally {
            cables.forEach(DatabaseProxy::close);
        }
    }
}
