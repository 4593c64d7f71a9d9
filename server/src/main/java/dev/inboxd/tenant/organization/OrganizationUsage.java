package dev.inboxd.tenant.organization;

import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;

/** How many inboxes and domains a view shows, and what its whole organization keeps. */
record OrganizationUsage(int inboxes, int domains, StoredUsage stored) {
    static OrganizationUsage read(Tx tx, View view) {
        return tx.sql(view, """
                select (select count(*) from inbox i where {i} and not i.deleting)::int as inboxes,
                       (select count(*) from domain d where {d})::int as domains, k.messages, k.bytes
                from organization_clock k where k.organization_id = {organization}""")
                .single(row -> new OrganizationUsage(
                        row.integer("inboxes"),
                        row.integer("domains"),
                        new StoredUsage(row.longer("messages"), row.longer("bytes"))));
    }
}
