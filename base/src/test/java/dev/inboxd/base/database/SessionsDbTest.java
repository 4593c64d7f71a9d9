package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
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
        try (Database database = new Database(TestPostgres.migrated(), null)) {
            Eventually.await(() -> sessions(database) == 2);
            CyclicBarrier together = new CyclicBarrier(MOST);
            List<Future<Integer>> all = new ArrayList<>();
            try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < MOST; i++) {
                    all.add(many.submit(() -> database.read(tx -> {
                        int process = tx.sql("select pg_backend_pid() as pid").one(row -> row.integer("pid"));
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
            assertThat(sessions(database)).isEqualTo(MOST);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static int sessions(Database database) {
        return database.read(tx -> tx.sql("select count(*)::int as n from pg_stat_activity"
                        + " where datname = current_database() and backend_type = 'client backend'")
                .one(row -> row.integer("n")));
    }
}
