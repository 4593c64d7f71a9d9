package dev.inboxd.sending;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.tenant.apikey.BoundKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The keys that wrote something, each once. Nobody approves his own words (ruling 164), and what a key wrote that needs
 * approval needs it, whoever sends it.
 *
 * @param list at most 65 ids; the last of as many stands for every key
 */
public record AuthorKeys(List<UUID> list) {
    /** No key: people wrote it, or nobody did. */
    public static final AuthorKeys NONE = new AuthorKeys(List.of());

    private static final int MOST = 64;
    /** Stands for every key, where there are too many to name. */
    private static final UUID EVERY = new UUID(0, 0);

    public AuthorKeys {
        list = List.copyOf(list);
    }

    /** That key; none for a person. */
    public static AuthorKeys of(@Nullable UUID key) {
        return NONE.and(key);
    }

    /** These, and another one; the same for a person. */
    public AuthorKeys and(@Nullable UUID key) {
        if (key == null || has(key)) {
            return this;
        }
        List<UUID> more = new ArrayList<>(list);
        more.add(list.size() < MOST ? key : EVERY);
        return new AuthorKeys(more);
    }

    /** Both together. */
    public AuthorKeys and(AuthorKeys others) {
        AuthorKeys all = this;
        for (UUID key : others.list) {
            all = all.and(key);
        }
        return all;
    }

    /** Whether that key is one of them. */
    public boolean has(UUID key) {
        return list.contains(key) || isEveryKey();
    }

    /** Whether one of them needs approval now; so it is when there are too many to name. Reads the database. */
    public boolean needApproval(Database database, UUID organization) {
        return isEveryKey()
                || (!list.isEmpty()
                        && database.<Boolean>read(tx -> BoundKeys.areAmong(tx, View.of(organization), list)));
    }

    private boolean isEveryKey() {
        return list.contains(EVERY);
    }

    /** Their ids in a row. */
    public UUID[] column() {
        return list.toArray(UUID[]::new);
    }
}
