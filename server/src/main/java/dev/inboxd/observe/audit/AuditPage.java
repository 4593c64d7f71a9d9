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

/** A page of the audit log. It ends early when its entries are long, and its token goes on. */
final class AuditPage {
    /** Octets of the entries of a page; each takes some more as JSON. */
    static final int OCTETS = 256 * 1024;

    /** How many entries are read together: at most so many are in memory that the page has no room for. */
    private static final int TOGETHER = 25;

    private AuditPage() {}

    static Slice<AuditEntry> read(Tx tx, View all, PageRequest page) {
        List<AuditEntry> found = new ArrayList<>();
        Cursor start = page.after();
        UUID after = start == null ? null : start.uuid(0);
        int octets = 0;
        while (true) {
            int wanted = Math.min(TOGETHER, page.fetch() - found.size());
            List<AuditEntry> some = AuditSql.list(tx, all, new AuditSql.Stretch(page.ascending(), after, wanted));
            for (AuditEntry entry : some) {
                octets += entry.size();
                if (octets > OCTETS && !found.isEmpty()) {
                    return new Slice<>(found, end(found));
                }
                found.add(entry);
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
