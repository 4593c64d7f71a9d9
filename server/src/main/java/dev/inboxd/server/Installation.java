package dev.inboxd.server;

import dev.inboxd.backup.BackupLease;
import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.StoreGuard;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.base.vault.Reseal;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.config.Settings;
import dev.inboxd.sandbox.clock.StoredClock;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all nodes and commands on one database share: a row of the database. The first start makes it; every later one
 * is refused when its master key or its blob store is another.
 *
 * @param id of the installation
 * @param mode of the last start
 * @param names of the last start
 * @param keyCheck the id, sealed; who opens it has the master key
 * @param store the id of the blob store
 * @param storeMarked whether the store's marker was written
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Installation(
        UUID id, Settings.Mode mode, Settings.Names names, byte[] keyCheck, UUID store, boolean storeMarked) {
    private static final Logger LOG = LoggerFactory.getLogger(Installation.class);
    private static final String PURPOSE = "check value";

    /** The installation of a database; empty when the service was never started on it. */
    public static Optional<Installation> of(Database database) {
        return database.read(InstallationSql::find);
    }

    /**
     * Makes the installation at the first start, and checks that this process belongs to it at every later one.
     *
     * @param blobs the store that the settings name
     * @return the storage for the server; its blobs are refused whenever the store is another one
     * @throws InstallationException when the master key or the store is not the installation's
     */
    public static PlatformModule.Storage open(Settings settings, Database database, Blobs blobs, InstantSource clock) {
        requireHere(database);
        if (clock instanceof MovableClock movable) {
            new StoredClock(database, movable).follow();
        }
        Instant now = clock.instant();
        Vault vault = database.writeGlobal(tx -> {
            InstallationSql.lock(tx);
            Optional<Installation> existing = InstallationSql.find(tx);
            return existing.isPresent() ? joined(tx, existing.get(), settings) : create(tx, settings, now);
        });
        // In a transaction of its own, which no request waits for: one node at a time looks at its store and marks it.
        Installation installation = database.writeGlobal(tx -> {
            InstallationSql.lock(tx);
            Installation stored = InstallationSql.find(tx).orElseThrow();
            if (!stored.storeMarked && blobs.storeId().isEmpty()) {
                requireBlobs(InstallationSql.someBlobs(tx), blobs);
                blobs.writeStoreId(stored.store);
            }
            stored.requireStore(blobs.storeId());
            InstallationSql.storeMarked(tx);
            return stored;
        });
        boolean isFolder = "file".equals(settings.storage().blobs().getScheme());
        Duration fresh = isFolder ? Duration.ZERO : Duration.ofMinutes(1);
        return new PlatformModule.Storage(database, guard(database, blobs, installation.store, fresh), vault, clock);
    }

    /** The check comes after the commit that deleted the row, so a backup that it does not see has no such row. */
    private static StoreGuard guard(Database database, Blobs blobs, UUID store, Duration fresh) {
        return new StoreGuard(blobs, store, fresh, () -> {
            try {
                return database.read(BackupLease::isHeld);
            } catch (DatabaseFailure unknown) {
                return true; // the sweep deletes it
            }
        });
    }

    /**
     * Refuses a copy that was left behind by a move: what it would do now, its successor does.
     *
     * @throws InstallationException when the database is marked as moved
     */
    public static void requireHere(Database database) {
        String target = new MarkChanges(database).marks().movedTo();
        if (target != null) {
            throw new InstallationException(moved(target));
        }
    }

    static String moved(String target) {
        return "This database is a copy that was left behind: the service moved to " + target
                + ". Start it there, with that database as INBOXD_DATABASE_URL.";
    }

    private static Vault create(Tx tx, Settings settings, Instant now) {
        List<String> present = MasterKeys.present(settings);
        // A database of a revision without this table holds secrets already.
        explained(settings, () -> SigningKeys.open(tx, new Vault(present)));
        Vault vault = new Vault(present.isEmpty() ? List.of(MasterKeys.make(settings)) : present);
        UUID id = Uuid7.next();
        byte[] check = vault.seal(PURPOSE, bytes(id));
        InstallationSql.insert(
                tx, new Installation(id, settings.mode(), settings.names(), check, UUID.randomUUID(), false), now);
        return vault;
    }

    private static Vault joined(Tx tx, Installation existing, Settings settings) {
        if (MasterKeys.present(settings).isEmpty()) {
            throw new InstallationException("The database holds secrets that were sealed with a master key, and there"
                    + " is none here: give it in INBOXD_SECRET_KEY, or restore " + MasterKeys.file(settings)
                    + " from the backup.");
        }
        Vault vault = existing.vault(settings);
        if (!existing.names.domain().equals(settings.names().domain())) {
            LOG.warn(
                    "The domain was {} until now, and is {}",
                    existing.names.domain(),
                    settings.names().domain());
        }
        InstallationSql.update(
                tx,
                new Installation(
                        existing.id,
                        settings.mode(),
                        settings.names(),
                        existing.keyCheck,
                        existing.store,
                        existing.storeMarked));
        return vault;
    }

    /**
     * The vault with the master keys of these settings, for commands. Never makes a key: without any, the vault cannot
     * seal.
     *
     * @throws InstallationException when there are keys, and none is the installation's
     */
    public Vault vault(Settings settings) {
        List<String> keys = MasterKeys.present(settings);
        Vault vault = new Vault(keys);
        if (!keys.isEmpty()) {
            explained(settings, () -> vault.open(PURPOSE, keyCheck));
        }
        return vault;
    }

    /** Seals the check value with the newest key. */
    public static void reseal(Tx tx, Reseal reseal) {
        Installation stored = InstallationSql.find(tx).orElseThrow();
        reseal.of(PURPOSE, stored.keyCheck).ifPresent(check -> InstallationSql.seal(tx, check));
    }

    private static void explained(Settings settings, Runnable check) {
        try {
            check.run();
        } catch (Vault.KeyException wrongKey) {
            boolean isConfigured = !settings.storage().secretKeys().isEmpty();
            throw new InstallationException(wrongKey.getMessage()
                    + (isConfigured
                            ? "."
                            : ". Without that setting the key is read from " + MasterKeys.file(settings) + "."));
        }
    }

    /** A database of a revision without this table has blobs already, and its disk may not be mounted today. */
    private static void requireBlobs(List<BlobKey> sample, Blobs blobs) {
        if (!sample.isEmpty() && sample.stream().noneMatch(key -> isIn(blobs, key))) {
            throw new InstallationException("The blob store of this node has none of the database's blobs, for example "
                    + sample.getFirst().path()
                    + ": its disk is not mounted, or it is another store. Mount the disk, or name the right store in"
                    + " INBOXD_BLOB_URL.");
        }
    }

    private static boolean isIn(Blobs blobs, BlobKey key) {
        try (InputStream in = blobs.open(key, 0, 1)) {
            return in.read() >= 0;
        } catch (BlobException missing) {
            return false;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void requireStore(Optional<UUID> marker) {
        if (marker.equals(Optional.of(store))) {
            return;
        }
        if (marker.isEmpty()) {
            throw new InstallationException("The blob store of this node is not the one that the database names, or its"
                    + " disk is not mounted: it has no store.id with " + store
                    + ". Mount the disk, or name the right store in INBOXD_BLOB_URL.");
        }
        throw new InstallationException("The blob store of this node belongs to another installation (its store.id is "
                + marker.get() + ", and the database names " + store
                + "): name the store of this one in INBOXD_BLOB_URL. All nodes of a database share one."
                + (storeMarked
                        ? ""
                        : " If the blobs of this database are in it all the same, as after restoring an old backup,"
                                + " delete its store.id."));
    }

    /** The settings of the last start that commands go by, by their variables; those without a value are missing. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(Map.of(
                "INBOXD_MODE", mode.name().toLowerCase(Locale.ROOT),
                "INBOXD_DOMAIN", names.domain(),
                "INBOXD_MX_HOST", names.mxHost(),
                "INBOXD_BOUNCE_HOST", names.bounceHost(),
                "INBOXD_SPF_HOST", names.spfHost()));
        names.trackingHost().ifPresent(host -> settings.put("INBOXD_TRACKING_HOST", host));
        names.publicUrl().map(URI::toString).ifPresent(url -> settings.put("INBOXD_PUBLIC_URL", url));
        return settings;
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }
}
