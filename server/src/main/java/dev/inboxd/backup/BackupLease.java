package dev.inboxd.backup;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.SchemaException;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * That a backup runs, noted in the row of the installation: no node deletes a blob meanwhile. One backup has it at a
 * time, and moves its end on while it lives.
 */
public final class BackupLease implements AutoCloseable {
    private static final Duration LENGTH = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofSeconds(10);
    /** Longer than the lease of a backup that was killed. */
    private static final Duration PATIENCE = Duration.ofSeconds(75);

    private final Database database;
    private final UUID id;
    private final Thread renewal;
    private volatile boolean isLost;
    private volatile boolean isOver;

    private BackupLease(Database database, UUID id) {
        this.database = database;
        this.id = id;
        this.renewal = Thread.ofVirtual().name("backup-lease").unstarted(this::renew);
    }

    /** Whether a backup runs, so that no blob may be deleted. */
    public static boolean isHeld(Tx tx) {
        return tx.sql("select i.backup_until > {real_now} as held from installation i where i.backup_until is not null")
                .first(row -> row.flag("held"))
                .orElse(false);
    }

    /**
     * Takes the lease. Waits for the lease of a backup that was killed to run out.
     *
     * @param waits is told once when it has to wait
     * @throws BackupException when another backup runs, or the tables are of a version that knows no backups
     */
    static BackupLease take(Database database, Consumer<String> waits) {
        requireRevision(database);
        requireColumns(database);
        BackupLease lease = new BackupLease(database, UUID.randomUUID());
        long until = System.nanoTime() + PATIENCE.toNanos();
        boolean isTold = false;
        while (!Attempts.of(() -> lease.extend(true))) {
            if (System.nanoTime() - until > 0) {
                throw new BackupException("Another backup of this installation runs; wait for its end.");
            }
            if (!isTold) {
                waits.accept("Another backup runs, or was killed within the last minute; waiting for its end.");
                isTold = true;
            }
            pause(Duration.ofSeconds(1));
        }
        lease.renewal.start();
        return lease;
    }

    /**
     * Sees that the lease was kept all the time.
     *
     * @throws BackupException when it was not, so that blobs may have been deleted
     */
    void require() {
        if (isLost) {
            throw new BackupException("The backup stood still for too long, and blobs may have been deleted meanwhile:"
                    + " run it again.");
        }
    }

    @Override
    public void close() {
        isOver = true;
        renewal.interrupt();
        try {
            Attempts.of(() ->
                    database.writeTransient(tx -> tx.sql("update installation set backup_id = null, backup_until = null"
                                    + " where name = 'inboxd' and backup_id = :id")
                            .bind("id", id)
                            .run()));
        } catch (Problem | DatabaseFailure away) {
            // The backup is whole all the same, and the lease runs out by itself.
        }
    }

    private void renew() {
        while (!isOver) {
            pause(STEP);
            if (isOver) {
                return;
            }
            try {
                isLost |= !extend(false);
            } catch (RuntimeException away) {
                // Tried again; when it comes too late, that is seen then.
            }
        }
    }

    /** @param isNew whether the lease of another that ran out may be taken */
    private boolean extend(boolean isNew) {
        return database.writeTransient(tx -> {
            Instant now = tx.sql("select {real_now} as at").single(row -> row.instant("at"));
            return tx.sql("update installation set backup_id = :id, backup_until = :until where name = 'inboxd'"
                                    + (isNew
                                            ? " and (backup_until is null or backup_until <= :now)"
                                            : " and backup_id = :id and backup_until > :now"))
                            .bind("id", id)
                            .bind("until", now.plus(LENGTH))
                            .bind("now", now)
                            .run()
                    == 1;
        });
    }

    private static void requireRevision(Database database) {
        try {
            Migrations.requireSameRevision(database.location());
        } catch (SchemaException another) {
            throw new BackupException("The database has the tables of another revision of inboxd, which this one cannot"
                    + " use: make the backup with the revision that made them, or by pg_dump and a copy of the blob"
                    + " store.");
        }
    }

    private static void requireColumns(Database database) {
        String question = "select exists (select 1 from pg_catalog.pg_attribute a"
                + " where a.attrelid = to_regclass('installation') and a.attname = 'backup_until') as known";
        boolean isKnown = Attempts.of(() -> database.read(tx -> tx.sql(question).single(row -> row.flag("known"))));
        if (!isKnown) {
            throw new BackupException("The database has the tables of a version of inboxd that knows no backups: start"
                    + " this version on it once, or stop the service and copy its data folder.");
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
