package dev.inboxd.mailbox.spam;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.mail.spam.FeatureCounts;
import dev.inboxd.mail.spam.FeatureWeights;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the organizations' spam models, for arriving mail. Most organizations have no model, and the cache stores
 * only that fact. A change is seen within a minute, on the node that wrote it at once.
 */
public final class SpamModels {
    private static final long FRESH = Duration.ofMinutes(1).toNanos();
    /** Octets that the cached models may take, and octets of an entry without a model. */
    private static final long MOST = HeapShare.MODELS.octets();

    private static final int ENTRY_OCTETS = 256;

    private final Database database;
    private final Map<UUID, Entry> entries = new LinkedHashMap<>(16, 0.75F, true);
    private long size;

    /** The models of a database. */
    public SpamModels(Database database) {
        this.database = database;
    }

    /**
     * @param weights null when the organization marked too little to judge by
     */
    private record Entry(@Nullable FeatureWeights weights, long version, long checked) {
        int size() {
            return ENTRY_OCTETS + (weights == null ? 0 : weights.size());
        }
    }

    /** A stored model; version 0 means that there is none. */
    record StoredModel(FeatureCounts counts, long version) {}

    /**
     * The model of an organization, or empty when its marks are too few to judge by. Reads the database when the entry
     * is older than a minute.
     */
    public Optional<FeatureWeights> of(UUID organization) {
        Entry entry = cachedEntry(organization);
        if (entry == null || System.nanoTime() - entry.checked > FRESH) {
            Entry before = entry;
            entry = database.read(tx -> read(tx, organization, before));
            keep(organization, entry);
        }
        return Optional.ofNullable(entry.weights);
    }

    /** Drops an organization's entry after this node wrote its model. */
    void changed(UUID organization) {
        synchronized (entries) {
            Entry replaced = entries.remove(organization);
            size -= replaced == null ? 0 : replaced.size();
        }
    }

    static StoredModel stored(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select k.version, k.counts from spam_model k where {k}")
                .first(row -> new StoredModel(FeatureCounts.inflated(row.bytes("counts")), row.longer("version")))
                .orElseGet(() -> new StoredModel(new FeatureCounts(), 0));
    }

    /** Writes the next version of a model; false when another node has written one meanwhile. */
    static boolean replace(Tx tx, UUID organization, FeatureCounts counts, long version) {
        return tx.sql(View.of(organization), """
                                insert into spam_model as k (organization_id, version, counts)
                                values ({organization}, :version + 1, :counts)
                                on conflict (organization_id) do update
                                set version = excluded.version, counts = excluded.counts
                                where k.version = :version""")
                        .bind("version", version)
                        .bind("counts", counts.deflated())
                        .run()
                == 1;
    }

    private static Entry read(Tx tx, UUID organization, @Nullable Entry before) {
        long version = tx.sql(
                        View.of(organization),
                        "select coalesce((select k.version from spam_model k where {k}), 0)" + " as version")
                .single(row -> row.longer("version"));
        if (before != null && before.version == version) {
            return new Entry(before.weights, version, System.nanoTime());
        }
        StoredModel stored = stored(tx, organization);
        return new Entry(FeatureWeights.of(stored.counts).orElse(null), stored.version, System.nanoTime());
    }

    private @Nullable Entry cachedEntry(UUID organization) {
        synchronized (entries) {
            return entries.get(organization);
        }
    }

    private void keep(UUID organization, Entry entry) {
        synchronized (entries) {
            Entry replaced = entries.put(organization, entry);
            size += entry.size() - (replaced == null ? 0 : replaced.size());
            for (Iterator<Entry> eldest = entries.values().iterator(); size > MOST && eldest.hasNext(); ) {
                size -= eldest.next().size();
                eldest.remove();
            }
        }
    }
}
