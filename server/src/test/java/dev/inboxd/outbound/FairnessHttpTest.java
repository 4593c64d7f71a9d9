package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Proves;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several organizations, and hosts that take no message for as long as they like: the others' mail goes on. */
class FairnessHttpTest {
    private static final int SLOW = 150;

    private final FakeMx mx = new FakeMx();
    private final FakeMx slow = mx.beside("127.0.0.2");
    private final CountDownLatch held = new CountDownLatch(1);
    private World world;

    @BeforeEach
    void start() {
        world = World.start(Map.of(
                "INBOXD_DELIVERY",
                "direct",
                "INBOXD_LIMITS",
                "outbound_connections=1000",
                "INBOXD_OUTBOUND_SMTP_PORT",
                String.valueOf(mx.port())));
        slow.at(At.DATA, FakeMx.hold(held, "354 go on"));
        world.dns().addresses("slow.test", "127.0.0.2").addresses("fast.test", "127.0.0.1");
        for (int i = 0; i < SLOW; i++) {
            world.dns().mailExchangers("slow" + i + ".test", "10 slow.test");
        }
    }

    @AfterEach
    void stop() {
        held.countDown();
        world.close();
        mx.close();
        slow.close();
    }

    @Test
    @Tag("long")
    @Proves("P2b")
    void slowHostsOfSomeHoldUpNobodyElsesMailAndNoneForInboxesHere() throws Exception {
        HttpProbe one = world.as(world.otherOrganization());
        HttpProbe two = world.as(world.otherOrganization());
        String first = inbox(one, "one");
        String second = inbox(two, "two");
        sendToTheSlow(one, first);
        sendToTheSlow(two, second);
        // Each holds as much as it may, which together is most of what there is.
        await(() -> count("r.state = 'sending'") >= 179);

        send(world.http(), world.inbox("third"), "\"ann@fast.test\"");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ann@fast.test>");
        send(one, first, "\"" + second + "\"");
        await(() -> two.get("/v0/inboxes/" + second + "/messages?labels=received")
                        .is(200)
                        .list("messages")
                        .size()
                == 1);
        assertThat(slow.mails()).isEmpty();

        held.countDown();
        await(() -> count("r.state = 'delivered'") == 2 * SLOW + 2);
    }

    private static String inbox(HttpProbe as, String name) {
        return as.post("/v0/inboxes", json("username", name)).is(200).text("inbox_id");
    }

    private static void sendToTheSlow(HttpProbe as, String inbox) {
        for (int from = 0; from < SLOW; from += 50) {
            send(
                    as,
                    inbox,
                    IntStream.range(from, from + 50)
                            .mapToObj(i -> "\"a@slow" + i + ".test\"")
                            .collect(Collectors.joining(",")));
        }
    }

    private static void send(HttpProbe as, String inbox, String recipients) {
        as.post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":[%s],"text":"Hi"}""".formatted(recipients))
                .is(200);
    }

    private int count(String condition) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission_recipient r where " + condition)
                        .single(row -> row.integer("n")));
    }
}
