package dev.inboxd.mailbox.thread;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.server.World;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What nodes of the version before wrote, which know nothing of who waits, is counted, and lists stay right. */
class WaitingUpkeepDbTest {
    /** As rows are that were written before the columns were there. */
    private static final String BEFORE = "update thread set waiting = null, waiting_since = null;"
            + " update organization_clock set waiting_seq = null, waiting_thread = null;"
            + " update message set unreached = null";

    @RegisterExtension
    private final World world = World.start();

    @BeforeEach
    void start() {
        Conversation.trust(world);
    }

    @Test
    @Tag("long")
    void threadsOfBeforeAreShownRightAndCountedInTheBackground() throws SQLException {
        Conversation me = Conversation.in(world, world.inbox("me"));
        String question = me.receives();
        Conversation them = Conversation.in(world, world.inbox("them"));
        String answer = them.sends();
        run(BEFORE);
        assertThat(me.waiting()).isEqualTo(Arrays.asList("received", me.time(question)));
        assertThat(them.waiting()).isEqualTo(Arrays.asList("sent", them.time(answer)));
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=me")))
                .containsExactly(me.thread().text("thread_id"));
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=them&order=waiting_since")))
                .containsExactly(them.thread().text("thread_id"));
        run(BEFORE);
        world.inbox("written"); // a change, after which work is looked for
        await(this::isCounted);
        assertThat(number("select count(*) from thread where waiting is null")).isZero();
    }

    @Test
    void whatANodeOfTheVersionBeforeWritesLaterIsNoticedEvenWhereNoRowOfAThreadShowsIt() throws SQLException {
        Conversation talk = Conversation.in(world, world.inbox("later"));
        String first = talk.receives();
        String second = talk.receives();
        talk.label(first, "add_labels", "settled");
        await(this::isCounted);
        List<?> open = Arrays.asList("received", talk.time(second));
        assertThat(talk.waiting()).isEqualTo(open);
        asTheVersionBefore(() -> talk.label(second, "add_labels", "settled"));
        assertThat(talk.waiting()).isEqualTo(Arrays.asList("received", null));
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=me"))).isEmpty();
        asTheVersionBefore(() -> talk.label(second, "remove_labels", "settled"));
        assertThat(talk.waiting()).isEqualTo(open);
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=me"))).hasSize(1);
        asTheVersionBefore(talk::sends);
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=me"))).isEmpty();
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=them")))
                .hasSize(1);
    }

    @Test
    void eventsThatAreNotKeptCostACountOfAllThreads() throws SQLException {
        Conversation talk = Conversation.in(world, world.inbox("aged"));
        talk.receives();
        await(this::isCounted);
        asTheVersionBefore(talk::sends);
        run("insert into event_horizon (organization_id, seq, moved_at) select organization_id, event_seq, now()"
                + " from organization_clock; delete from event");
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=them")))
                .hasSize(1);
        assertThat(isCounted()).isTrue();
    }

    @Test
    void oldMailThatCameBackFromEverybodyIsNoAnswer() throws SQLException {
        Conversation talk = Conversation.in(world, world.inbox("bounced"));
        String question = talk.receives();
        String answer = talk.sends();
        run("update message set labels = '{sent,bounced}' where name = '" + answer + "';"
                + " delete from submission_recipient; delete from submission;" + BEFORE);
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=me"))).hasSize(1);
        assertThat(talk.waiting()).isEqualTo(Arrays.asList("received", talk.time(question)));
    }

    @Test
    void newOrganizationsAreCountedFromTheirFirstMessageOn() {
        Conversation talk = Conversation.in(world, world.inbox("fresh"));
        talk.receives();
        talk.sends();
        assertThat(isCounted()).isTrue();
        world.http().post("/v0/pods", json("name", "Other")).is(200);
        assertThat(isCounted()).isTrue();
    }

    /** Puts back what only this version writes. */
    private void asTheVersionBefore(Runnable change) throws SQLException {
        await(this::isCounted);
        long seq = number("select waiting_seq from organization_clock");
        run("drop table if exists kept; create table kept as select thread_id, waiting, waiting_since from thread");
        change.run();
        run("update thread t set waiting = k.waiting, waiting_since = k.waiting_since from kept k"
                + " where k.thread_id = t.thread_id; update organization_clock set waiting_seq = " + seq);
    }

    private boolean isCounted() {
        View all = View.of(world.organization());
        return world.database()
                .read(tx -> tx.sql(
                                all,
                                "select k.waiting_seq = k.event_seq and k.waiting_thread is null as counted"
                                        + " from organization_clock k where {k}")
                        .single(row -> row.flag("counted")));
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "begin; select 1 from organization_clock for update; " + sql + "; commit"); // as all writers
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                world.location().url(),
                world.location().user(),
                world.location().password());
    }
}
