package dev.inboxd.move;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.copy.CopyTarget;
import dev.inboxd.base.database.copy.DatabaseCopy;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.database.embedded.EmbeddedPostgres;
import dev.inboxd.base.database.embedded.VersionUpgrade;
import dev.inboxd.base.id.Base62;
import dev.inboxd.base.vault.Vault;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Upgrades an embedded database of an earlier major version at a start: both run side by side, all rows are copied and
 * compared, and one rename makes the new one the database. A kill anywhere leaves one of both valid, and the next start
 * goes on.
 */
public final class VersionCopy {
    private static final int CONNECTIONS = 2;
    /** Nothing is opened here: sealed columns go over as they are. */
    private static final Vault NONE = new Vault(List.of(Base62.random(43)));

    private final VersionUpgrade upgrade;
    private final Consumer<String> progress;

    private VersionCopy(VersionUpgrade upgrade, Consumer<String> progress) {
        this.upgrade = upgrade;
        this.progress = progress;
    }

    /**
     * Upgrades the database of a data folder when it is of an earlier version.
     *
     * @param progress gets a sentence for each step, the room that is needed first
     * @throws MoveException when the disk has too little room, and nothing was begun; when the copy is not the same
     */
    public static void runWhenDue(Path dataDirectory, Consumer<String> progress) {
        OptionalInt earlier = VersionUpgrade.due(dataDirectory);
        if (earlier.isPresent()) {
            try (VersionUpgrade upgrade = VersionUpgrade.of(dataDirectory, earlier.getAsInt())) {
                VersionUpgrade.Space space = upgrade.space();
                String room = "it needs " + space.needed() + " MB on the disk, which has " + space.free() + " MB left";
                if (space.free() < space.needed()) {
                    throw new MoveException("The database in " + dataDirectory + " is of PostgreSQL "
                            + earlier.getAsInt() + " and cannot be upgraded: " + room
                            + ". Free some of it; nothing has changed.");
                }
                progress.accept("The database is upgraded from PostgreSQL " + earlier.getAsInt() + ": " + room + ".");
                new VersionCopy(upgrade, progress).run();
            }
        }
    }

    private void run() {
        Database.Location from = location(upgrade.startEarlier());
        Database.Location to = location(upgrade.startNew());
        if (CopyTarget.begun(to).isEmpty() && !isEmpty(to)) {
            upgrade.renew(); // killed behind its end, before it became the database
            to = location(upgrade.startNew());
        }
        copy(from, to);
        upgrade.finish();
        progress.accept("The database is upgraded. The earlier one is kept until inboxd database drop-old.");
    }

    private void copy(Database.Location from, Database.Location to) {
        try (Snapshot source = Snapshot.of(from)) {
            String mark =
                    "upgrade of " + source.identity().map(Snapshot.Identity::id).orElse(null);
            try (CopyTarget target = CopyTarget.begin(to, mark, source.migrations())) {
                long[] rows = {0};
                DatabaseCopy copy = new DatabaseCopy(source, target, NONE);
                copy.run((_, added, _, _) -> rows[0] += added);
                progress.accept("All " + rows[0] + " rows are copied, and are compared now.");
                try (Snapshot written = Snapshot.of(to)) {
                    List<String> differences = DatabaseCopy.differences(source, written, NONE);
                    if (!differences.isEmpty()) {
                        throw new MoveException(String.join(" ", differences) + " The earlier database is untouched.");
                    }
                }
                target.migrate();
                target.complete();
            }
        }
    }

    private static boolean isEmpty(Database.Location location) {
        try (Database database = new Database(location, null)) {
            return database.read(tx -> tx.sql("select to_regclass('public.installation') is null as empty")
                    .single(row -> row.flag("empty")));
        }
    }

    private static Database.Location location(EmbeddedPostgres.RunningServer server) {
        return new Database.Location(server.jdbcUrl(), server.user(), server.password(), CONNECTIONS);
    }
}
