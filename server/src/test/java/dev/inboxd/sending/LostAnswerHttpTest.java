package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Tx;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Promise P5: an answer that never reached its caller doubles no mail. The caller's connection is reset when the server
 * is about to store the message and waits for a lock that this test holds; then the lock is let go, and the message is
 * committed for nobody. The public client repeats such a request, and names no Idempotency-Key.
 */
class LostAnswerHttpTest {
    private static final int CUTS = 100;

    @RegisterExtension
    private final World world = World.start();

    private String inbox;

    @BeforeEach
    void start() {
        inbox = world.inbox("cut");
    }

    @Test
    @Proves("P5")
    void aHundredLostAnswersMakeAHundredMessages() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < CUTS; i++) {
            String path = "/v0/inboxes/" + inbox + "/messages/send";
            String body = json("to", "jo@elsewhere.test", "subject", "cut " + i);
            if (i % 5 == 0) {
                path = "/v0/inboxes/" + inbox + "/drafts/"
                        + world.http()
                                .post("/v0/inboxes/" + inbox + "/drafts", body)
                                .is(200)
                                .text("draft_id") + "/send";
                body = "{}";
            }
            cut(path, body);
            names.add(world.http().post(path, body).is(200).text("message_id"));
        }
        assertThat(names).hasSize(CUTS);
        assertThat(messages()).isEqualTo(CUTS);
    }

    @Test
    @Proves("P5")
    void aLostAnswerIsGivenThoughTheSameSendWouldBeRefusedByNow() throws Exception {
        String path = "/v0/inboxes/" + inbox + "/messages/send";
        try (FakeEndpoint files = FakeEndpoint.start()) {
            files.then(FakeEndpoint.respond(200, "", "here"), FakeEndpoint.status(404));
            String fetching = json("to", "jo@elsewhere.test", "attachments", List.of(object("url", files.url("/a"))));
            cut(path, fetching);
            Eventually.await(() -> messages() == 1);
            world.http().post(path, fetching).is(200); // the file is gone
            assertThat(messages()).isEqualTo(1);
        }
        String body = json("to", "jo@elsewhere.test", "subject", "paused");
        cut(path, body);
        Eventually.await(() -> messages() == 2);
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        world.http().post(path, body).is(200);
        assertThat(world.http().post(path, body).is(403).text("code")).isEqualTo("inbox_paused");
        assertThat(messages()).isEqualTo(2);
    }

    @Test
    void anAnswerThatIsNotAskedForAgainWithinTwoMinutesIsForgotten() {
        String path = "/v0/inboxes/" + inbox + "/messages/send";
        String body = json("to", "jo@elsewhere.test", "subject", "late");
        cut(path, body);
        Eventually.await(() -> messages() == 1);
        world.advance(Duration.ofSeconds(121));
        world.http().post(path, body).is(200);
        assertThat(messages()).isEqualTo(2);
    }

    /** Sends the request and loses the connection before the message can be committed, and so before any answer. */
    private void cut(String path, String body) {
        String request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + world.key()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        world.database().writeGlobal(tx -> {
            tx.sqlAcrossTenants("lock table message_content in share mode").run(); // which nothing but a send waits for
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.httpPort())) {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                Eventually.await(() -> waiting(tx) > 0);
                socket.setSoLinger(true, 0); // closing sends RST
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            return path;
        });
    }

    private static int waiting(Tx tx) {
        return tx.sqlAcrossTenants("select count(*) as n from pg_locks l where not l.granted"
                        + " and l.relation = 'message_content'::regclass")
                .single(row -> row.integer("n"));
    }

    private int messages() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from message m where m.outgoing")
                        .single(row -> row.integer("n")));
    }
}
