package dev.inboxd.tenant.apikey;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import java.util.List;
import java.util.UUID;

/**
 * What keys wrote. What a key wrote that needs approval needs it as long as it is there (ruling 164): its rows say so
 * themselves, so that neither the end of the key nor its release frees them.
 */
public final class KeyWritings {
    private static final int SLICE = 500;

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
         * Lets what a key wrote need approval.
         *
         * @param most rows at most that are changed
         * @return how many were
         */
        int bind(Tx tx, UUID organization, UUID key, int most);
    }

    /**
     * Lets everything that a key wrote need approval, if the key does; some rows in each transaction. Called when a key
     * came to need it, and before such a key is freed or deleted: what it wrote since says so already.
     */
    void bind(UUID organization, ApiKey key) {
        if (!key.grant().needsApproval()) {
            return;
        }
        for (Hook hook : hooks) {
            int bound;
            do {
                bound = database.write(organization, tx -> hook.bind(tx, organization, key.id(), SLICE));
            } while (bound == SLICE);
        }
    }
}
