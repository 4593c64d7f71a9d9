package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What pages of the console ask of the database and of the processor, beside the page of a conversation. */
@Tag("alone")
class ConsoleCostHttpTest {
    private static final int MOST_STATEMENTS = 12;
    private static final int TURNS = 25;
    private static final Pattern STATEMENT = Pattern.compile("SELECT.*|INSERT.*|UPDATE.*|DELETE.*");

    @RegisterExtension
    private static final World world = World.start();

    private static FullConsole full;

    @BeforeAll
    static void start() {
        full = FullConsole.of(world);
        // Attempts at webhooks would be counted, too.
        for (Object webhook : world.http().get("/v0/webhooks?limit=100").is(200).list("webhooks")) {
            world.http()
                    .patch("/v0/webhooks/" + ((Map<?, ?>) webhook).get("webhook_id"), json("enabled", false))
                    .is(200);
        }
    }

    private static void open(String path) {
        world.operator().get("/console" + path).is(200);
    }

    /** Counts what the server says to have done, by the log of the driver. */
    private static final class StatementCount extends Handler implements AutoCloseable {
        private static final Logger DRIVER = Logger.getLogger("org.postgresql.core.v3.QueryExecutorImpl");

        private final AtomicInteger done = new AtomicInteger();

        StatementCount() {
            DRIVER.setLevel(Level.FINEST);
            DRIVER.setUseParentHandlers(false);
            DRIVER.addHandler(this);
        }

        /** The fewest of ten times: what the service does beside it is counted, too. */
        int of(String path) {
            int fewest = Integer.MAX_VALUE;
            for (int i = 0; i < 10; i++) {
                int before = done.get();
                open(path);
                fewest = Math.min(fewest, done.get() - before);
            }
            return fewest;
        }

        @Override
        public void publish(LogRecord entry) {
            if (entry.getMessage().contains("CommandStatus(")
                    && STATEMENT
                            .matcher(String.valueOf(entry.getParameters()[0]))
                            .matches()) {
                done.incrementAndGet();
            }
        }

        @Override
        public void flush() {
            // nothing is kept
        }

        @Override
        public void close() {
            DRIVER.removeHandler(this);
            DRIVER.setUseParentHandlers(true);
            DRIVER.setLevel(null);
        }
    }

    @Test
    void noPageTakesMoreStatementsThanItMay() {
        List<String> more = new ArrayList<>();
        try (StatementCount count = new StatementCount()) {
            assertThat(count.of("/components")).as("they are counted").isPositive();
            for (String path : full.paths()) {
                int statements = count.of(path);
                if (statements > MOST_STATEMENTS) {
                    more.add(path + ": " + statements);
                }
            }
        }
        assertThat(more).isEmpty();
    }

    @Test
    void noPageTakesMuchMoreProcessorTimeThanAConversation() {
        for (int i = 0; i < TURNS; i++) {
            open(full.thread());
            full.paths().forEach(ConsoleCostHttpTest::open); // compiled, and known to the planner
        }
        List<String> more = new ArrayList<>();
        for (String path : full.paths()) {
            double best = Double.MAX_VALUE;
            for (int i = 0; i < 3 && best > 2; i++) {
                long conversation = nanos(full.thread());
                best = Math.min(best, (double) nanos(path) / conversation);
            }
            if (best > 2) {
                more.add("%s: %.1f times".formatted(path, best));
            }
        }
        assertThat(more).isEmpty();
    }

    private static long nanos(String path) {
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = process.getProcessCpuTime();
        for (int i = 0; i < TURNS; i++) {
            open(path);
        }
        return process.getProcessCpuTime() - before;
    }
}
