package dev.inboxd.inbound;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attack A5: whoever is named as a sender may be a victim, so nothing is said but in the dialogue itself. */
class BackscatterHttpTest {
    @Test
    @Proves("A5")
    void nothingIsEverSentBackToWhoMayBeForged() throws InterruptedException {
        try (FakeMx mx = new FakeMx();
                World world = World.start(Map.of(
                        "INBOXD_RELAY", "smtp://127.0.0.1:" + mx.endpoint().port()))) {
            String inbox = world.inbox("target");
            String paused = world.inbox("paused");
            world.http()
                    .patch("/v0/inboxes/" + paused, json("status", "paused"))
                    .is(200);
            world.http()
                    .post("/v0/inboxes/" + inbox + "/lists/receive/block", json("entry", "victim@x.test"))
                    .is(200);
            String receipts = "From: victim@x.test\nDisposition-Notification-To: victim@x.test\n"
                    + "Return-Receipt-To: victim@x.test\n\nRead me\n";
            assertThat(world.mail("victim@x.test", "nobody@mail.localhost", receipts))
                    .startsWith("550 5.1.1");
            assertThat(world.mail("victim@x.test", "jo@elsewhere.test", receipts))
                    .startsWith("550 5.7.1");
            assertThat(world.mail("victim@x.test", paused, receipts))
                    .startsWith("250"); // dropped, as the interface says
            assertThat(world.mail("victim@x.test", inbox, receipts)).startsWith("250"); // stored as blocked
            world.http()
                    .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@elsewhere.test"))
                    .is(200);
            // what leaves is taken in turn, so anything sent back would have come first
            assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<jo@elsewhere.test>");
            int queued = world.database()
                    .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission")
                            .single(row -> row.integer("n")));
            assertThat(queued).isEqualTo(1);
        }
    }
}
