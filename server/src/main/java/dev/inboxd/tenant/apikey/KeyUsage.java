package dev.inboxd.tenant.apikey;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records when keys were used: at most once a minute for each key, the keys of one organization together. A crash loses
 * a minute of {@code used_at}.
 */
public final class KeyUsage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUsage.class);
    private static final Duration PRECISION = Duration.ofSeconds(60);
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    private final Database database;
    private final Map<UUID, Use> recorded = new ConcurrentHashMap<>();
    private final PeriodicTask task = new PeriodicTask("key use", INTERVAL, this::write);

    private record Use(UUID organization, UUID key, Instant at) {}

    /** Records the usage of a database's keys; nothing is written before {@link #start}. */
    public KeyUsage(Database database) {
        this.database = database;
    }

    /** Starts the periodic task, which writes every few seconds. */
    public void start() {
        task.start();
    }

    /**
     * Records a use.
     *
     * @param written the use that is stored already, or null
     */
    void note(UUID organization, UUID key, @Nullable Instant written, Instant now) {
        if (written == null || written.plus(PRECISION).isBefore(now)) {
            recorded.putIfAbsent(key, new Use(organization, key, now));
        }
    }

    /** Writes the recorded uses. */
    void write() {
        recorded.values().stream()
                .collect(Collectors.groupingBy(Use::organization))
                .forEach(this::write);
    }

    /** A failure of one organization does not delay the others; its uses stay recorded. */
    private void write(UUID organization, List<Use> uses) {
        try {
            database.run(organization, tx -> {
                KeyUsageSql.used(
                        tx,
                        View.of(organization),
                        uses.stream().map(Use::key).toArray(UUID[]::new),
                        uses.stream().map(Use::at).toArray(Instant[]::new));
            });
            uses.forEach(use -> recorded.remove(use.key, use));
        } catch (Problem | DatabaseFailure later) {
            LOG.warn(
                    "api key usage not written, retried later: organization_id={} cause={}",
                    organization,
                    later.getMessage());
        }
    }

    /** Stops the periodic task and writes the remaining uses. */
    @Override
    public void close() {
        task.close();
        write();
    }
}
