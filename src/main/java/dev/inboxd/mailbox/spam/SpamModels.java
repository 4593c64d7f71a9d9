package dev.inboxd.mailbox.spam;

import dev.inboxd.mail.spam.FeatureCounts;
import dev.inboxd.mail.spam.FeatureWeights;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.memory.HeapShare;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was learned, at hand for arriving mail. Most organizations taught nothing, and of those a node keeps only that; a
 * change is seen within a minute, on the node that learned it at once.
 */
public final class SpamModels {
    private static final long FRESH = Duration.ofMinutes(1).toNanos();
    /** Octets that models and notes may take in memory, and what a note takes. */
    private static final long MOST = HeapShare.MODELS.octets();

    private static final int NOTE = 256;

    private final Database database;
    private final Map<UUID, Entry> known = new LinkedHashMap<>(16, 0.75F, true);
    private long size;

    /** The models of a database. */
    public SpamModels(Database database) {
        this.database = database;
    }

    /** @param weights null when there is nothing to judge by */
    private record Entry(@Nullable FeatureWeights weights, long version, long checked) {
        int size() {
            return NOTE + (weights == null ? 0 : weights.size());
        }
    }

    /** A stored model; version 0 is none. */
    record StoredModel(FeatureCounts counts, long version) {}

    /** What an organization taught, or empty when that is too little to judge by. Reads the database now and then. */
    public Optional<FeatureWeights> of(UUID organization) {
        Entry entry = known(organization);
        if (entry == null || System.nanoTime() - entry.checked > FRESH) {
            Entry before = entry;
            entry = database.read(tx -> read(tx, organization, before));
            keep(organization, entry);
        }
        return Optional.ofNullable(entry.weights);
    }

    /** An organization's model was changed on this node. */
    void changed(UUID organization) {
        synchronized (known) {
            Entry gone = known.remove(organization);
            size -= gone == null ? 0 : gone.size();
        }
    }

    static StoredModel stored(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select k.version, k.counts from spam_model k where {k}")
                .first(row -> new StoredModel(FeatureCounts.inflated(row.bytes("counts")), row.longer("version")))
                .orElseGet(() -> new StoredModel(new FeatureCounts(), 0));
    }

    /** Writes the next version; false when somebody else has written one since. */
    static boolean replace(Tx tx, UUID organization, FeatureCounts counts, long version) {
        return tx.sql(
                                View.of(organization),
                                "insert into spam_model as k (organization_id, version, counts)"
                                        + " values ({organization}, :version + 1, :counts) on conflict (organization_id)"
                                        + " do update set version = excluded.version, counts = excluded.counts where k.version = :version")
                        .bind("version", version)
                        .bind("counts", counts.deflated())
                        .run()
                == 1;
    }

    private static Entry read(Tx tx, UUID organization, @Nullable Entry before) {
        long version = tx.sql(
                        View.of(organization),
                        "select coalesce((select k.version from spam_model k where {k}), 0)" + " as version")
                .one(row -> row.longer("version"));
        if (before != null && before.version == version) {
            return new Entry(before.weights, version, System.nanoTime());
        }
        StoredModel stored = stored(tx, organization);
        return new Entry(FeatureWeights.of(stored.counts).orElse(null), stored.version, System.nanoTime());
    }

    private @Nullable Entry known(UUID organization) {
        synchronized (known) {
            return known.get(organization);
        }
    }

    private void keep(UUID organization, Entry entry) {
        synchronized (known) {
            Entry gone = known.put(organization, entry);
            size += entry.size() - (gone == null ? 0 : gone.size());
            for (Iterator<Entry> eldest = known.values().iterator(); size > MOST && eldest.hasNext(); ) {
                size -= eldest.next().size();
                eldest.remove();
            }
        }
    }
}
