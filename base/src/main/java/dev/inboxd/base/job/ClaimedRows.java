package dev.inboxd.base.job;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The rows that nodes have claimed in a table. An index of the node and the organization over these rows alone finds
 * them by their node.
 *
 * @param kind of the work
 * @param table a table of tenants
 * @param node its column with the node
 * @param due its column with the end of the lease
 * @param claimed SQL: whether the row {@code c} is claimed
 */
public record ClaimedRows(String kind, String table, String node, String due, String claimed) {
    /** How many rows are claimed, by organization; locks nothing. */
    Map<UUID, Integer> counts(Tx tx) {
        Map<UUID, Integer> counts = new HashMap<>();
        tx.sqlAcrossTenants(("select c.organization_id, count(*)::integer as number from %s c where %s"
                                + " group by c.organization_id")
                        .formatted(table, claimed))
                .list(row -> counts.put(row.uuid("organization_id"), row.integer("number")));
        return counts;
    }

    /** Prolongs the leases of an organization that end before a time. */
    void extend(Tx tx, View all, Instant until) {
        tx.sql(
                        all,
                        "update %s c set %s = :until where {c} and c.%s < :until and %s"
                                .formatted(table, due, due, claimed))
                .bind("until", until)
                .run();
    }

    /** The nodes that have claimed any. */
    List<UUID> nodes(Tx tx) {
        return tx.sqlAcrossTenants("select distinct c.%s as node from %s c where %s".formatted(node, table, claimed))
                .list(row -> row.uuid("node"));
    }

    /**
     * The organizations of which a node has claimed rows, in the order of ids; locks nothing.
     *
     * @param after an id, those behind it are returned
     */
    List<UUID> organizations(Tx tx, UUID claimant, UUID after, int most) {
        return new ArrayList<>(tx.sqlAcrossTenants(("select distinct c.organization_id from %s c where c.%s = :node"
                                + " and %s and c.organization_id > :after order by c.organization_id limit :most")
                        .formatted(table, node, claimed))
                .bind("node", claimant)
                .bind("after", after)
                .bind("most", most)
                .list(row -> row.uuid("organization_id")));
    }

    /** Whether a node has claimed rows of an organization; locks nothing. */
    boolean isHeld(Tx tx, View all, UUID claimant) {
        return tx.sql(
                        all,
                        "select 1 as one from %s c where {c} and c.%s = :node and %s limit 1"
                                .formatted(table, node, claimed))
                .bind("node", claimant)
                .exists();
    }
}
