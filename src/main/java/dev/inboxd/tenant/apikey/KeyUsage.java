package dev.inboxd.tenant.apikey;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.job.PeriodicTask;
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
 * Remembers when keys were used and writes it down now and then: at most once a minute for each key, the keys of one
 * organization together. What a crash loses of it is a minute of {@code used_at}.
 */
public final class KeyUsage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUsage.class);
    private static final Duration PRECISION = Duration.ofSeconds(60);
    private static final Duration REST = Duration.ofSeconds(3);

    private final Database database;
    private final Map<UUID, Use> noted = new ConcurrentHashMap<>();
    private final PeriodicTask beat = new PeriodicTask("key use", REST, this::write);

    private record Use(UUID organization, UUID key, Instant at) {}

    /** Notes for the keys of a database; nothing is written before {@link #start}. */
    public KeyUsage(Database database) {
        this.database = database;
    }

    /** Begins to write every few seconds. */
    public void start() {
        beat.start();
    }

    /**
     * Notes a use.
     *
     * @param written the use that is stored already, or null
     */
    void note(UUID organization, UUID key, @Nullable Instant written, Instant now) {
        if (written == null || written.plus(PRECISION).isBefore(now)) {
            noted.putIfAbsent(key, new Use(organization, key, now));
        }
    }

    /** Writes down what was noted. */
    void write() {
        noted.values().stream()
                .collect(Collectors.groupingBy(Use::organization))
                .forEach(this::write);
    }

    /** One organization that cannot be written now does not keep the others waiting; its notes stay. */
    private void write(UUID organization, List<Use> uses) {
        try {
            database.<@Nullable Void>write(organization, tx -> {
                ApiKeySql.used(
                        tx,
                        View.of(organization),
                        uses.stream().map(Use::key).toArray(UUID[]::new),
                        uses.stream().map(Use::at).toArray(Instant[]::new));
                return null;
            });
            uses.forEach(use -> noted.remove(use.key, use));
        } catch (Problem | DatabaseFailure later) {
            LOG.warn("When the keys of {} were used could not be written: {}", organization, later.getMessage());
        }
    }

    /** Stops the beat and writes what is left. */
    @Override
    public void close() {
        beat.close();
        write();
    }
}
