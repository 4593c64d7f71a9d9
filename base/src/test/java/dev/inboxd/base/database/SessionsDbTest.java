package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Sessions of the pool open when they are needed. */
class SessionsDbTest {
    private static final int MOST = 6;

    @Test
    void aNodeThatDoesNothingHasTwoSessionsAndOneThatDoesMuchAll() throws Exception {
        Database.Location location = TestPostgres.migrated();
        try (Database database = new Database(location, null)) {
            Eventually.await(() -> sessions(location) == 2);
            CyclicBarrier together = new CyclicBarrier(MOST);
            List<Future<Integer>> all = new ArrayList<>();
            try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < MOST; i++) {
                    all.add(many.submit(() -> database.read(tx -> {
                        int process = tx.sql("select pg_backend_pid() as pid").single(row -> row.integer("pid"));
                        await(together);
                        return process;
                    })));
                }
            }
            List<Integer> processes = new ArrayList<>();
            for (Future<Integer> each : all) {
                processes.add(each.get());
            }
            assertThat(processes).doesNotHaveDuplicates();
            assertThat(sessions(location)).isEqualTo(MOST);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Those of the pool: the one that asks is another. */
    private static int sessions(Database.Location location) {
        try (Connection connection = DriverManager.getConnection(TestPostgres.setting(location));
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(*) - 1 from pg_stat_activity"
                        + " where datname = current_database() and backend_type = 'client backend'")) {
            count.next();
            return count.getInt(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
