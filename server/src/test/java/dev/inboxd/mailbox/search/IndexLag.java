package dev.inboxd.mailbox.search;

import dev.inboxd.server.World;

/** How far the index is behind what was written. */
public final class IndexLag {
    private IndexLag() {}

    /** Organizations with changes that are not in the index. */
    public static long behind(World world) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from organization_clock k"
                                + " left join search_progress p on p.organization_id = k.organization_id"
                                + " where k.event_seq > coalesce(p.seq, 0)")
                        .single(row -> row.longer("n")));
    }
}
