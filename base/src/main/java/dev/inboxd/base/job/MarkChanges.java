package dev.inboxd.base.job;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/** Changes what holds an installation or an organization back: by its operator, a restore and a move. */
public final class MarkChanges {
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final Database database;

    /** The marks of a database. */
    public MarkChanges(Database database) {
        this.database = database;
    }

    /** The marks of now. */
    public Marks marks() {
        return database.read(tx -> MarkSql.find(tx, null));
    }

    /**
     * Holds everything that leaves, until {@link #resume}.
     *
     * @param reason hold, restore or move
     * @return whether it left until now
     */
    public boolean hold(String reason) {
        return database.writeTransient(tx -> MarkSql.hold(tx, reason)) > 0;
    }

    /** As {@link #hold(String)}, in a transaction that does more. */
    public static void hold(Tx tx, String reason) {
        MarkSql.hold(tx, reason);
    }

    /**
     * Lets everything leave again.
     *
     * @return whether it was held until now
     */
    public boolean resume() {
        return database.writeTransient(MarkSql::resume) > 0;
    }

    /** Lets nothing be written any more, or again. */
    public void readOnly(boolean isReadOnly) {
        database.writeTransient(isReadOnly ? MarkSql::readOnly : MarkSql::writable);
    }

    /**
     * Marks the installation as moved, for good: no process serves it any more, and none commits here, not even one
     * that was frozen meanwhile and has read no marks.
     *
     * @param target where the service is now, for people
     */
    public static void moved(Tx tx, String target) {
        MarkSql.close(tx, target);
        MarkSql.moved(tx, target);
    }

    /** In a copy of an installation that had moved, what did not move by itself may be written again. */
    public static void open(Tx tx) {
        MarkSql.open(tx);
    }

    /** What came to a new place may be written there, and is held until it is resumed. */
    public static void arrived(Tx tx, String reason) {
        MarkSql.open(tx);
        MarkSql.writable(tx);
        MarkSql.hold(tx, reason);
    }

    /** Holds an organization back. Behind the mark that it has moved, nobody commits to it here any more. */
    public static void mark(Tx tx, UUID organization, OrganizationMark mark) {
        if (mark.state() == OrganizationMark.State.MOVED) {
            MarkSql.close(tx, organization, Objects.requireNonNullElse(mark.movedTo(), "elsewhere"));
        }
        MarkSql.mark(tx, organization, mark);
        MarkSql.count(tx);
    }

    /** As {@link #mark(Tx, UUID, OrganizationMark)}, in a transaction of its own. */
    public void mark(UUID organization, OrganizationMark mark) {
        database.runTransient(tx -> {
            mark(tx, organization, mark);
        });
    }

    /** Lets an organization go on. */
    public void unmark(UUID organization) {
        database.runTransient(tx -> {
            MarkSql.open(tx, organization);
            MarkSql.unmark(tx, organization);
            MarkSql.count(tx);
        });
    }

    /**
     * Waits until every process goes by the marks of now, with all that it had begun. A process that died counts for
     * some seconds.
     *
     * @return false when one had not come so far in this time
     */
    public boolean awaitAll(Duration patience) {
        long number = marks().number();
        long end = System.nanoTime() + patience.toNanos();
        while (database.read(tx -> MarkSql.behind(tx, number)) > 0) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(INTERVAL);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
