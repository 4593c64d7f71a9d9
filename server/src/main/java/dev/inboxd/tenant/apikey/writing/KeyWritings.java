package dev.inboxd.tenant.apikey.writing;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What keys wrote. What a key wrote that needs approval needs it as long as it is there (ruling 164): its rows say so
 * themselves, so that neither the end of the key nor its release frees them.
 */
public final class KeyWritings {
    private static final int SLICE = 1_000;

    private final Database database;
    private final List<Hook> hooks;

    /** The writings that these hooks know of. */
    public KeyWritings(Database database, List<Hook> hooks) {
        this.database = database;
        this.hooks = List.copyOf(hooks);
    }

    /** Knows what a key wrote, of one kind. */
    @FunctionalInterface
    public interface Hook {
        /**
         * Lets what a key wrote need approval, in one part of the rows.
         *
         * @return where the next part begins, or null behind the last one
         */
        @Nullable
        String bind(Tx tx, UUID organization, Part part);
    }

    /**
     * Rows that are looked at in one transaction, in the order of their ids.
     *
     * @param key that wrote
     * @param after the last id of the part before; empty for the first part
     * @param most number of rows
     */
    public record Part(UUID key, String after, int most) {
        private static final UUID LEAST = new UUID(0, 0);

        /** The same where ids are UUIDs. */
        public UUID afterId() {
            return after.isEmpty() ? LEAST : UUID.fromString(after);
        }

        /** Where the part behind these rows begins, or null when they are the last. */
        public @Nullable String next(List<ScannedRow> rows) {
            return rows.size() < most ? null : rows.getLast().id;
        }
    }

    /**
     * A row that was looked at.
     *
     * @param marks whether the key wrote in it, and it does not say so yet
     */
    public record ScannedRow(String id, boolean marks) {
        /** A row with these two columns. */
        public static ScannedRow read(Row row) {
            return new ScannedRow(row.text("id"), row.flag("marks"));
        }

        /** The ids of those that are to be marked. */
        public static List<String> marked(List<ScannedRow> rows) {
            return rows.stream().filter(ScannedRow::marks).map(ScannedRow::id).toList();
        }
    }

    /** Lets everything that a key wrote need approval; some rows in each transaction. */
    public void bind(UUID organization, UUID key) {
        for (Hook hook : hooks) {
            String after = "";
            while (after != null) {
                Part part = new Part(key, after, SLICE);
                after = database.<@Nullable String>write(organization, tx -> hook.bind(tx, organization, part));
            }
        }
    }
}
