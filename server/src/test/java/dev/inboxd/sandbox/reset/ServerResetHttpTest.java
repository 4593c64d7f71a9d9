package dev.inboxd.sandbox.reset;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that begins anew as a whole. */
class ServerResetHttpTest {
    private static final String ROUTE = "/sandbox/reset";
    private static final String EVERYTHING = json("everything", true);
    private static final String ALL = json("everything", true, "organizations", "all");

    private World world;

    @BeforeEach
    void start() {
        world = World.start();
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private HttpProbe mine() {
        return world.as(world.key());
    }

    private static HttpProbe.Answer clock(HttpProbe http) {
        return http.get("/sandbox/clock").is(200);
    }

    /** An inbox to which mail has come by SMTP, and one more that the search finds. */
    private void receive(HttpProbe http, String word) {
        String inbox =
                http.post("/v0/inboxes", json("username", "desk")).is(200).text("inbox_id");
        assertThat(world.mail("kim@x.test", inbox, "From: kim@x.test\nSubject: Hello\n\nHello.\n"))
                .startsWith("250");
        String messages = "/v0/inboxes/" + inbox + "/messages";
        assertThat(http.get(messages + "?include_unauthenticated=true").is(200).list("messages"))
                .hasSize(1);
        http.post("/sandbox/messages", json("inbox_id", inbox, "from", "kim@x.test", "text", word))
                .is(200);
        Eventually.await(() -> http.get(messages + "/search?q=" + word)
                        .is(200)
                        .list("messages")
                        .size()
                == 1);
    }

    @Test
    void everyOrganizationGoesAndTheClockShowsTheRealTime() {
        HttpProbe before = mine();
        HttpProbe other = world.as(world.otherOrganization());
        receive(before, "chair");
        other.post("/v0/inboxes", "{}").is(200);
        before.post("/sandbox/clock", json("advance", "P40D")).is(200);
        HttpProbe.Answer refused = before.post(ROUTE, EVERYTHING).is(409);
        assertThat(refused.text()).contains("conflict", "other organizations");
        other.get("/v0/inboxes").is(200);

        HttpProbe.Answer reset = before.post(ROUTE, ALL).is(200);
        assertThat(reset.at("deleted.organizations")).isEqualTo(2L);
        assertThat(reset.at("deleted.inboxes")).isEqualTo(2L);
        assertThat(reset.at("deleted.messages")).isEqualTo(2L);
        before.get("/v0/inboxes").is(401);
        other.get("/v0/inboxes").is(401);
        HttpProbe after = world.as(reset.text("api_key"));
        assertThat(after.get("/v0/inboxes").is(200).at("count")).isEqualTo(0L);
        assertThat(clock(after).at("offset_seconds")).isEqualTo(0.0);
        receive(after, "table"); // the address belongs to nobody from before
        assertThat(after.get("/v0/threads/search?q=chair").is(200).list("threads"))
                .isEmpty();
        String next = after.post(ROUTE, EVERYTHING).is(200).text("api_key");
        assertThat(world.as(next).get("/v0/inboxes").is(200).at("count")).isEqualTo(0L);
    }

    @Test
    void whatIsNotUnderstoodDeletesNothing() {
        HttpProbe http = mine();
        http.post("/v0/inboxes", "{}").is(200);
        http.post(ROUTE, json("everything", true, "keep", List.of("events"))).is(400);
        http.post(ROUTE, json("organizations", "all")).is(400);
        http.post(ROUTE, json("everything", true, "organizations", "one")).is(400);
        http.post(ROUTE, json("everything", "yes")).is(400);
        String narrow = http.post("/v0/api-keys", json("name", "reader", "permissions", Map.of("message_read", true)))
                .is(200)
                .text("api_key");
        world.as(narrow).post(ROUTE, EVERYTHING).is(403);
        assertThat(http.get("/v0/inboxes").is(200).at("count")).isEqualTo(1L);
    }

    @Test
    void everyTableIsEmptiedOrKept() throws SQLException {
        Set<String> decided = new TreeSet<>(ServerRows.EMPTIED);
        decided.addAll(ServerRows.RETAINED);
        Set<String> all = new TreeSet<>();
        var location = TestPostgres.migrated();
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("select tablename from pg_tables where schemaname = 'public'")) {
            while (rows.next()) {
                all.add(rows.getString(1));
            }
        }
        assertThat(decided).isEqualTo(all);
    }
}
