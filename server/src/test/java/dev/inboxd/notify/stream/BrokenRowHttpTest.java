package dev.inboxd.notify.stream;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One row that nobody can make anything of must not keep those who listen from all that comes after it. */
class BrokenRowHttpTest {
    private static final String TYPES =
            members("event_types", List.of("message.received", "message.received.unauthenticated"));

    @RegisterExtension
    private static final World world = World.start();

    private static void mail(String inbox, String subject) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: " + subject + "\n\nHello.\n"))
                .startsWith("250");
    }

    private static UUID lastMessage() {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select m.message_id from message m where {m} order by m.created_at desc limit 1")
                        .single(row -> row.uuid("message_id")));
    }

    /** As a newer release on another node raises it, or as a broken disk leaves it. */
    private static void raise(String type, @Nullable UUID message) {
        UUID organization = world.organization();
        world.database().run(organization, tx -> {
            Tx.Stamp stamp = tx.next();
            tx.sql(
                            View.of(organization),
                            "insert into event (organization_id, seq, at, type, pod_id, inbox_id, message_id,"
                                    + " details) select i.organization_id, :seq, :at, :type, i.pod_id, i.inbox_id,"
                                    + " :message, :details::jsonb"
                                    + " from inbox i where {i} limit 1")
                    .bind("seq", stamp.number())
                    .bind("at", stamp.at())
                    .bind("type", type)
                    .bind("message", message)
                    .bind("details", json("a", 1))
                    .run();
        });
    }

    private static void spoil(UUID message) {
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(
                                        View.of(world.organization()),
                                        "update message_content c set shown = :spoilt"
                                                + " where c.organization_id = {organization}"
                                                + " and c.message_id = :message")
                                .bind("spoilt", "spoilt".getBytes(StandardCharsets.US_ASCII))
                                .bind("message", message)
                                .run());
    }

    @Test
    void aTypeThatIsNotKnownYetIsPassedOver() {
        String inbox = world.inbox("newer");
        String now = world.http().get("/v0/events?cursor=now").is(200).text("next_cursor");
        try (SocketProbe socket =
                SocketProbe.open(world.httpPort(), world.key()).subscribe("," + TYPES)) {
            raise("message.unheard.of", null);
            mail(inbox, "behind");
            assertThat(socket.next().subject()).isEqualTo("behind");
        }
        HttpProbe.Answer feed = world.http().get("/v0/events?cursor=" + now).is(200);
        assertThat(new String(feed.body(), StandardCharsets.UTF_8))
                .contains("behind")
                .doesNotContain("unheard");
    }

    @Test
    @Proves("A44")
    void whatCannotBeReadIsPassedOver() {
        String inbox = world.inbox("spoilt");
        mail(inbox, "spoilt");
        UUID spoilt = lastMessage();
        String cursor = world.http().get("/v0/events?cursor=now").is(200).text("next_cursor");
        spoil(spoilt);
        try (SocketProbe socket =
                SocketProbe.open(world.httpPort(), world.key()).subscribe("," + TYPES)) {
            raise("message.received", spoilt);
            mail(inbox, "behind");
            assertThat(socket.next().subject()).isEqualTo("behind");
            assertThat(socket.isOpen()).isTrue();
        }
        assertThat(new String(
                        world.http().get("/v0/events?cursor=" + cursor).is(200).body(), StandardCharsets.UTF_8))
                .contains("behind");
        try (SocketProbe socket =
                SocketProbe.open(world.httpPort(), world.key()).subscribe("""
                ,%s,"cursor":"%s"\
                """.formatted(TYPES, cursor))) {
            assertThat(socket.next().subject()).isEqualTo("behind");
        }
        HttpProbe.Answer found = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&timeout=20&cursor=" + cursor)
                .is(200);
        assertThat(found.text("message.subject")).isEqualTo("behind");
    }
}
