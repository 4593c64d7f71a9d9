package dev.inboxd.platform.job;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Makes what a dead node had claimed due again, for every kind of work alike: each kind says how to release the claims
 * of one organization. Which organizations that may be is known from the rows of due work.
 */
public final class TakeOver {
    private final Database database;
    private final DueWork due;
    private final List<Claims> kinds = new CopyOnWriteArrayList<>();

    /** Claims of one kind of work. */
    public interface Claims {
        /**
         * Whether a node holds work of an organization; locks nothing.
         *
         * @param node the node, or null for any
         */
        boolean isHeld(Tx tx, View all, @Nullable UUID node);

        /**
         * Makes what a node holds of an organization due now; except what this process is at, which knows of it.
         *
         * @param node the node, or null for any
         */
        void release(Tx tx, View all, @Nullable UUID node);
    }

    TakeOver(Database database, DueWork due) {
        this.database = database;
        this.due = due;
    }

    /** What takes over on this node: from nodes that die. */
    public static TakeOver of(Database database, DueWork due, Nodes nodes) {
        TakeOver takeOver = new TakeOver(database, due);
        nodes.onDeath(takeOver::from);
        return takeOver;
    }

    /** Registers the claims of a kind of work; call it before the start. */
    public void add(Claims claims) {
        kinds.add(claims);
    }

    /**
     * Takes over from every process that has ended. Only for a database that no other node uses: there, no living
     * process can hold a claim.
     */
    public void fromAll() {
        from(null);
    }

    private void from(@Nullable UUID node) {
        due.takeOver(organization -> {
            View all = View.of(organization);
            List<Claims> held = database.read(tx ->
                    kinds.stream().filter(each -> each.isHeld(tx, all, node)).toList());
            if (!held.isEmpty()) {
                database.<@Nullable Void>write(organization, tx -> {
                    held.forEach(each -> each.release(tx, all, node));
                    return null;
                });
            }
        });
    }
}
