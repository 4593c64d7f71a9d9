package dev.inboxd.mailbox.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.server.World;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A page of threads in which somebody waits costs what it answers, however many threads there are. */
class WaitingPlansDbTest {
    private static final int RARE = 20;
    /** Rows of a page: the first window, what is found of it, and its inboxes. */
    private static final int MOST_ROWS = 600;

    @RegisterExtension
    private final World world = World.start();

    @Test
    @Tag("long")
    void aPageReadsAsManyRowsBesideAThousandThreadsAsBesideAHundredThousand() throws SQLException {
        compare(1_000, 100_000);
    }

    @Test
    @Tag("long")
    void theSameBesideAMillion() throws SQLException {
        compare(1_000, 1_000_000);
    }

    private void compare(int few, int many) throws SQLException {
        UUID inbox = inbox("plans");
        inbox("beside");
        try (Connection connection = DriverManager.getConnection(
                        world.location().url(),
                        world.location().user(),
                        world.location().password());
                Statement statement = connection.createStatement()) {
            fill(statement, 0, few);
            List<Long> small = pages(connection, statement, inbox);
            fill(statement, few, many);
            assertThat(pages(connection, statement, inbox)).isEqualTo(small).allMatch(rows -> rows <= MOST_ROWS);
        }
    }

    /** The rows that are read for each kind of list. */
    private List<Long> pages(Connection connection, Statement statement, UUID inbox) throws SQLException {
        View all = View.of(world.organization());
        UUID pod = number(statement, "select pod_id from inbox where address like 'plans@%'", UUID.class);
        List<Long> rows = new ArrayList<>();
        for (View view : List.of(all, all.pod(pod), all.inbox(inbox))) {
            for (ThreadWait.Side side : ThreadWait.Side.values()) {
                for (boolean isBySince : new boolean[] {false, true}) {
                    connection.setAutoCommit(false);
                    long before = read(statement);
                    ThreadFilter filter =
                            new ThreadFilter(new MailFilter(List.of(), 31, null, null), side, null, isBySince);
                    PageRequest page = new PageRequest(50, isBySince, null, _ -> "");
                    int found = ThreadLists.page(Tx.of(connection), view, filter, page)
                            .items()
                            .size();
                    assertThat(found)
                            .as("%s %s %s", view, side, isBySince)
                            .isEqualTo(side == ThreadWait.Side.ME ? RARE : 50);
                    rows.add(read(statement) - before);
                    connection.rollback();
                }
            }
        }
        for (boolean ascending : new boolean[] {false, true}) {
            rows.add(earliest(connection, statement, all, ascending));
        }
        connection.setAutoCommit(true);
        return rows;
    }

    /** The rows that are read for the few threads before a time, in the order of the waiting. */
    private static long earliest(Connection connection, Statement statement, View view, boolean ascending)
            throws SQLException {
        long before = read(statement);
        MailFilter mail = new MailFilter(List.of(), 31, null, Instant.parse("2026-01-01T00:00:31Z"));
        ThreadFilter filter = new ThreadFilter(mail, ThreadWait.Side.THEM, null, true);
        PageRequest page = new PageRequest(50, ascending, null, _ -> "");
        assertThat(ThreadLists.page(Tx.of(connection), view, filter, page).items())
                .hasSize(10);
        long rows = read(statement) - before;
        connection.rollback();
        return rows;
    }

    private UUID inbox(String name) {
        String address = world.inbox(name);
        return world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select i.inbox_id from inbox i where {i} and i.address = :address")
                        .bind("address", address)
                        .single(row -> row.uuid("inbox_id")));
    }

    /** Threads of two inboxes: a few in which others wait, in the first, and many in which the inbox does. */
    private static void fill(Statement statement, int from, int to) throws SQLException {
        String sql = """
                insert into thread (organization_id, thread_id, inbox_id, pod_id, labels, restricted, senders,
                                    recipients, last_message, message_count, size, attachments, at, created_at,
                                    updated_at, waiting, waiting_since)
                select i.organization_id, gen_random_uuid(), i.inbox_id, i.pod_id, '{received}', 0, '{jo@x.test}',
                       '{me@x.test}', '<' || n || '@x.test>', 1, 100, 0, t.at, t.at, t.at,
                       case when n <= 20 then 1 else 2 end, t.at - interval '1 second'
                from generate_series(FROM + 1, TO) n
                cross join lateral (select timestamptz '2026-01-01' + n * interval '1 second' as at) t
                join (select b.*, row_number() over (order by b.address desc) as place from inbox b
                      where b.address like any ('{plans@%,beside@%}')) i
                    on i.place = case when n <= 20 or n % 2 = 0 then 1 else 2 end""";
        statement.execute(sql.replace("FROM", String.valueOf(from)).replace("TO)", to + ")"));
        statement.execute("analyze thread");
    }

    /** Rows of threads that this transaction has read, by any plan. */
    private static long read(Statement statement) throws SQLException {
        return number(
                statement,
                "select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint from pg_stat_xact_user_tables"
                        + " where relname = 'thread'",
                Long.class);
    }

    private static <T> T number(Statement statement, String sql, Class<T> type) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getObject(1, type);
        }
    }
}
