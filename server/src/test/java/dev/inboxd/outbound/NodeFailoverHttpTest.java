package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Proves;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mail that a node had under way when it died, or was told to stop, is carried on by another. */
class NodeFailoverHttpTest {
    private final FakeMx mx = new FakeMx();
    private World world;
    private String inbox;

    @BeforeEach
    void start() {
        world = World.start(relayTo(mx));
        inbox = world.inbox("agent");
    }

    private static Map<String, String> relayTo(FakeMx relay) {
        return Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + relay.port());
    }

    @AfterEach
    void stop() {
        world.close();
        mx.close();
    }

    /** Not after the forty minutes of its claim. */
    @Test
    @Proves("P2a")
    void mailOfANodeThatDiesIsCarriedByAnotherWithinTenSeconds() throws Exception {
        mx.answerRecipient("ann@elsewhere.test", "450 4.2.1 later");
        send("ann@elsewhere.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1") == 1);
        mx.answerRecipient("ann@elsewhere.test", "250 2.1.5 now");
        UUID dead = UUID.randomUUID();
        UUID organization = world.organization();
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(
                                        View.of(organization),
                                        "update submission_recipient r"
                                                + " set state = 'sending', claimed_by = :dead, attempts = 2,"
                                                + " due_at = {now} + make_interval(secs => :lease)"
                                                + " where {r}")
                                .bind("dead", dead)
                                .bind("lease", DeliveryQueueSql.LEASE.toSeconds())
                                .run());
        world.database()
                .writeGlobal(
                        tx -> tx.sql("insert into node (node_id, seen_at)" + " values (:dead, statement_timestamp())")
                                .bind("dead", dead)
                                .run());
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ann@elsewhere.test>");
        await(() -> count("r.state = 'delivered' and r.attempts = 3 and r.held = 1") == 1);
    }

    /** What the other server does not answer within the time of a stop is hung up on, and free for the next at once. */
    @Test
    @Tag("long")
    @Proves("P2a")
    void mailThatAStopCutsOffIsCarriedByAnotherUnderTheSameName() throws Exception {
        try (FakeMx other = new FakeMx()) {
            World two = world.beside(relayTo(other));
            CountDownLatch never = new CountDownLatch(1);
            mx.at(At.CONTENT, FakeMx.hold(never, "250 2.0.0 taken"));
            other.at(At.CONTENT, FakeMx.hold(never, "250 2.0.0 taken"));
            String name = send("ann@elsewhere.test");
            await(() -> mx.commands().contains("DATA") || other.commands().contains("DATA"));
            boolean first = mx.commands().contains("DATA");
            World leaves = first ? world : two;
            world = first ? two : world;
            (first ? other : mx).usual(At.CONTENT);
            leaves.close();
            FakeMx.Received mail = (first ? other : mx).nextMail();
            assertThat(mail.content()).contains("Message-ID: " + name);
            assertThat((first ? mx : other).mails()).isEmpty();
            await(() -> count("r.state = 'delivered' and r.attempts = 2 and r.held = 1") == 1);
            never.countDown();
        }
    }

    private String send(String to) {
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", to, "text", "Hi"))
                .is(200);
        return sent.text("message_id");
    }

    private int count(String condition) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission_recipient r where " + condition)
                        .single(row -> row.integer("n")));
    }
}
