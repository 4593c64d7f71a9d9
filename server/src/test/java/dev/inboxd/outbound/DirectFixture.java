package dev.inboxd.outbound;

import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A service that delivers to the recipients' own servers, and two of these at addresses of their own. */
class DirectFixture {
    static final String[] USUAL = {"PIPELINING", "SIZE 10000000", "8BITMIME", "SMTPUTF8", "STARTTLS"};

    final FakeMx mx = new FakeMx(USUAL);
    final FakeMx second = mx.beside("127.0.0.2", USUAL);
    World world;
    String inbox;

    @BeforeEach
    void start() {
        world = world(Map.of());
        inbox = world.inbox("agent");
        world.dns().addresses("mx1.far.test", "127.0.0.1").addresses("mx2.far.test", "127.0.0.2");
    }

    World world(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "INBOXD_DELIVERY",
                "direct",
                "INBOXD_DANE",
                "on",
                "INBOXD_OUTBOUND_SMTP_PORT",
                String.valueOf(mx.port())));
        settings.putAll(more);
        return World.start(settings);
    }

    @AfterEach
    void stop() {
        world.close();
        mx.close();
        second.close();
    }

    void send(String... to) {
        String recipients = List.of(to).stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(","));
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":[%s],"text":"Hi"}""".formatted(recipients))
                .is(200);
    }

    List<String> replies() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select r.last_reply from submission_recipient r")
                        .list(row -> row.text("last_reply")));
    }

    int count(String condition) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission_recipient r where " + condition)
                        .single(row -> row.integer("n")));
    }
}
