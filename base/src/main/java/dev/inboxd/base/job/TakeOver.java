package dev.inboxd.base.job;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what a dead node had claimed due again, for every kind of work alike: each kind says which rows a node holds,
 * and how to release those of one organization. They are found by the node, so that one death costs what the node
 * held, however many other organizations have work.
 */
public final class TakeOver {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
    private static final UUID FIRST = new UUID(0, 0);
    private static final int MOST = 1_000;
    /** Organizations at a time; connections are left for requests. */
    private static final int AT_ONCE = 4;

    private final Database database;
    private final List<Claims> kinds = new CopyOnWriteArrayList<>();

    /** Claims of one kind of work. */
    public interface Claims {
        /** The rows that are claims. */
        ClaimedRows rows();

        /** Makes what a node holds of an organization due now; except what this process is at, which knows of it. */
        void release(Tx tx, View all, UUID node);
    }

    TakeOver(Database database) {
        this.database = database;
    }

    /** What takes over on this node: from nodes that die. */
    public static TakeOver of(Database database, Nodes nodes) {
        TakeOver takeOver = new TakeOver(database);
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
        for (Claims kind : kinds) {
            database.read(kind.rows()::nodes).forEach(node -> from(kind, node)); // one that fails waits for its lease
        }
        database.writeTransient(tx -> tx.sql("delete from node").run());
    }

    /** The rows of each kind that are claims. */
    List<ClaimedRows> rows() {
        return kinds.stream().map(Claims::rows).toList();
    }

    /** A failure is logged, and one is thrown after every kind and organization was tried. */
    void from(UUID node) {
        RuntimeException failure = null;
        for (Claims kind : kinds) {
            RuntimeException kindFailure = from(kind, node);
            failure = kindFailure == null ? failure : kindFailure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable RuntimeException from(Claims kind, UUID node) {
        AtomicReference<@Nullable RuntimeException> failed = new AtomicReference<>();
        UUID last = FIRST;
        List<UUID> organizations;
        do {
            UUID after = last;
            organizations = database.read(tx -> kind.rows().organizations(tx, node, after, MOST));
            last = organizations.isEmpty() ? last : organizations.getLast();
            // Each node in an order of its own: what one has released the others need not wait for.
            Collections.shuffle(organizations);
            try (ExecutorService threads =
                    Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
                organizations.forEach(organization -> threads.execute(() -> {
                    try {
                        release(kind, organization, node);
                    } catch (RuntimeException failure) {
                        LOG.warn("take-over postponed: organization_id={} cause={}", organization, failure.toString());
                        failed.set(failure);
                    }
                }));
            }
        } while (organizations.size() == MOST);
        return failed.get();
    }

    /**
     * The write tells this node, which looks at the organization at once. What an organization left behind when it
     * moved away stays as it is: its work is done in the new place.
     */
    private void release(Claims kind, UUID organization, UUID node) {
        View all = View.of(organization);
        if (!database.read(tx -> kind.rows().isHeld(tx, all, node))) {
            return;
        }
        try {
            database.run(organization, tx -> {
                kind.release(tx, all, node);
            });
        } catch (Problem refused) {
            if (refused.code() != ErrorCode.MOVED) {
                throw refused;
            }
        }
    }
}
