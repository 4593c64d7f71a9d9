package dev.inboxd.apikey;

import dev.inboxd.database.Database;
import dev.inboxd.database.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Remembers when keys were used and writes it down now and then: at most once a minute for each key. */
public final class KeyUse {
    private static final Duration PRECISION = Duration.ofSeconds(60);

    private final Database database;
    private final Map<UUID, Use> noted = new ConcurrentHashMap<>();

    private record Use(UUID organization, UUID key, Instant at) {}

    /** Notes for the keys of a database. */
    public KeyUse(Database database) {
        this.database = database;
    }

    void note(UUID organization, UUID key, @Nullable Instant written, Instant now) {
        if (written == null || written.plus(PRECISION).isBefore(now)) {
            noted.putIfAbsent(key, new Use(organization, key, now));
        }
    }

    /** Writes down what was noted; called every few seconds. */
    public void write() {
        for (Use use : List.copyOf(noted.values())) {
            database.write(use.organization, tx -> {
                ApiKeySql.used(tx, View.of(use.organization), use.key, use.at);
                return use;
            });
            noted.remove(use.key);
        }
    }
}
