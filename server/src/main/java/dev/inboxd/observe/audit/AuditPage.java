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
        List<AuditEntry> found = new ArrayList<>();
        Cursor start = page.after();
        UUID after = start == null ? null : start.uuid(0);
        int octets = 0;
        AuditSql.Range range = new AuditSql.Range(page.ascending(), filter, null);
        UUID edge = filter.looksThrough() ? AuditSql.edge(tx, all, new AuditSql.Stretch(after, THROUGH, range)) : null;
        while (true) {
            int wanted = Math.min(TOGETHER, page.fetch() - found.size());
            List<AuditEntry> some = AuditSql.list(
                    tx, all, new AuditSql.Stretch(after, wanted, new AuditSql.Range(page.ascending(), filter, edge)));
            for (AuditEntry entry : some) {
                octets += entry.size();
                if (octets > OCTETS && !found.isEmpty()) {
                    return new Slice<>(found, end(found));
                }
                found.add(entry);
            }
            if (some.size() < wanted && edge != null) {
                return new Slice<>(found, Cursor.of(edge));
            }
            if (some.size() < wanted || found.size() == page.fetch()) {
                return page.slice(found, entry -> Cursor.of(entry.id()));
            }
            after = found.getLast().id();
        }
    }

    private static @Nullable Cursor end(List<AuditEntry> found) {
        return Cursor.of(found.getLast().id());
    }
}
