package dev.inboxd.observe.audit;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit log. It ends early when its entries are long, or when few of many are asked for, and its token
 * goes on.
 */
final class AuditPage {
    /** Octets of the entries of a page; each takes some more as JSON. */
    static final int OCTETS = 256 * 1024;

    /** How many entries are read together: at most so many are in memory that the page has no room for. */
    private static final int TOGETHER = 25;

    /** How many entries are looked through for those of a page. */
    private static final int THROUGH = 5_000;

    private AuditPage() {}

    static Slice<AuditEntry> read(Tx tx, View all, PageRequest page, AuditFilter filter) {
        List<AuditEntry> entries = new ArrayList<>();
        Cursor start = page.after();
        UUID after = start == null ? null : start.uuid(0);
        int octets = 0;
        AuditSql.Range range = new AuditSql.Range(page.ascending(), filter, null);
        UUID edge = filter.looksThrough() ? AuditSql.edge(tx, all, new AuditSql.Stretch(after, THROUGH, range)) : null;
        while (true) {
            int limit = Math.min(TOGETHER, page.fetch() - entries.size());
            List<AuditEntry> batch = AuditSql.list(
                    tx, all, new AuditSql.Stretch(after, limit, new AuditSql.Range(page.ascending(), filter, edge)));
            for (AuditEntry entry : batch) {
                octets += entry.size();
                if (octets > OCTETS && !entries.isEmpty()) {
                    return new Slice<>(entries, end(entries));
                }
                entries.add(entry);
            }
            if (batch.size() < limit && edge != null) {
                return new Slice<>(entries, Cursor.of(edge));
            }
            if (batch.size() < limit || entries.size() == page.fetch()) {
                return page.slice(entries, entry -> Cursor.of(entry.id()));
            }
            after = entries.getLast().id();
        }
    }

    private static @Nullable Cursor end(List<AuditEntry> entries) {
        return Cursor.of(entries.getLast().id());
    }
}
