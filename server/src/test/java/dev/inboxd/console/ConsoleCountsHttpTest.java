package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.thread.ThreadAlerts;
import dev.inboxd.server.World;
import dev.inboxd.tenant.review.WaitingTotal;
import dev.inboxd.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the first page counts: what the lists behind it show, among the newest. */
class ConsoleCountsHttpTest {
    private static final int LOOP = 10;

    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;
    private static View all;

    @BeforeAll
    static void start() throws SQLException {
        console = ConsoleProbe.of(world, "counts");
        all = View.of(world.organization());
        console.received("old", "Subject: Old\r\n\r\nHi\r\n");
        console.received("late", "Subject: Late\r\n\r\nHi\r\n");
        change("update thread set at = at - interval '2 days' where subject = 'Old'");
        change("update thread set labels = labels || '{delayed}' where subject = 'Late'");
        console.sends("/inboxes/" + console.inbox(), "do", "approval-on").is(303);
        world.http()
                .post("/v0/inboxes/" + console.inbox() + "/messages/send", json("to", "jo@shop.test", "text", "Hi"))
                .is(200);
        console.received("held", "Subject: Held\r\n\r\nHi\r\n");
        console.received("spam", "Subject: Spam\r\n\r\nHi\r\n");
        change("update message set restricted = 16 where subject = 'Held'");
        change("update message set restricted = 17 where subject = 'Spam'");
    }

    private static void change(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(TestPostgres.setting(world.location()));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
        }
    }

    private static ThreadAlerts alerts() {
        Instant day = Instant.now().minus(Duration.ofDays(1));
        return world.database().read(tx -> ThreadAlerts.of(tx, all, day, LOOP));
    }

    private static WaitingTotal waiting(View view) {
        return world.database().read(tx -> WaitingTotal.of(tx, view));
    }

    @Test
    void whatIsUnreadForLongIsCountedBehindThousandsThatAreNewer() throws SQLException {
        change("""
                insert into thread (at, attachments, created_at, inbox_id, labels, last_message, message_count,
                                    organization_id, pod_id, recipients, restricted, senders, size, thread_id,
                                    updated_at)
                select t.at + n * interval '1 microsecond', 0, t.created_at, t.inbox_id, '{received}',
                       t.last_message, 1, t.organization_id, t.pod_id, t.recipients, 0, t.senders, 1,
                       gen_random_uuid(), t.updated_at
                from thread t, generate_series(1, 2100) n where t.subject = 'Late'""");
        assertThat(alerts().unread()).isOne();
        change("delete from thread where subject is null");
    }

    @Test
    void whatIsDelayedIsCounted() {
        assertThat(alerts().delayed()).isOne();
    }

    @Test
    void whatIsHeldIsCountedUnlessItIsHiddenForAnotherReason() {
        assertThat(waiting(all)).isEqualTo(new WaitingTotal(1, 1));
        assertThat(waiting(new View(all.organization(), null, null, 16, null)).held())
                .as("to one who may not see it")
                .isZero();
    }

    @Test
    void whoSeesNothingOfBeforeIsToldOfNoDraftOfBefore() {
        Instant later = Instant.now().plus(Duration.ofHours(1));
        assertThat(waiting(new View(all.organization(), null, null, 0, later))).isEqualTo(new WaitingTotal(0, 0));
    }

    @Test
    void whatIsInAnInboxThatGoesIsNotCounted() throws SQLException {
        change("update inbox set deleting = true where address = '" + console.inbox() + "'");
        try {
            assertThat(waiting(all)).isEqualTo(new WaitingTotal(0, 0));
            assertThat(alerts().unread()).isZero();
            assertThat(alerts().delayed()).isZero();
        } finally {
            change("update inbox set deleting = false where address = '" + console.inbox() + "'");
        }
    }
}
