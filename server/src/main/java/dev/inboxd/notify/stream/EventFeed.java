package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The event log of an organization as one caller may see it, read forward from any position, without gaps. */
final class EventFeed {
    private static final int WINDOW = 500;
    /** Limit of windows read for one page; then the page ends early and its cursor continues. */
    private static final int MOST_WINDOWS = 40;
    /**
     * Limit of a page in bytes, since payloads contain message bodies; then the page ends early and its cursor
     * continues.
     */
    private static final int LARGEST_PAGE = 1 << 20;

    private final Database database;
    private final EventRenderer renderer;

    EventFeed(Database database, EventRenderer renderer) {
        this.database = database;
        this.renderer = renderer;
    }

    /**
     * The parameters of a page.
     *
     * @param filter selects entries among those that the caller may see
     * @param inboxes restricts the page to these inboxes, or null
     * @param most limit of entries
     */
    record FeedQuery(
            Predicate<LoggedEvent.Entry> filter, @Nullable Collection<UUID> inboxes, int most) {}

    /** An entry and its rendered JSON. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record FeedEntry(LoggedEvent.Entry entry, byte[] bytes) {}

    /**
     * A page of entries, oldest first.
     *
     * @param upTo the position of the page's end: every matching entry up to this sequence number is on this or an
     *     earlier page
     * @param more whether there may be more entries now
     */
    record FeedPage(List<FeedEntry> entries, long upTo, boolean more) {
        FeedPage {
            entries = List.copyOf(entries);
        }
    }

    private record Window(List<LoggedEvent> rows, long head) {}

    /** The last sequence number of an organization's log. */
    long head(UUID organization) {
        return database.read(tx -> StreamSql.head(tx, View.of(organization)));
    }

    /** What is kept of an organization's log. */
    StreamCursor.LogExtent extent(UUID organization) {
        return database.read(tx -> StreamSql.extent(tx, View.of(organization)));
    }

    /** The page behind a sequence number. */
    FeedPage read(Caller caller, FeedQuery query, long after) {
        View view = caller.view();
        List<FeedEntry> entries = new ArrayList<>();
        long at = after;
        long octets = 0;
        for (int i = 0; i < MOST_WINDOWS; i++) {
            long from = at;
            Window window = database.read(tx -> {
                long head = StreamSql.head(tx, View.of(view.organization()));
                return new Window(
                        StreamSql.rows(tx, view, new StreamSql.LogRange(from, head, query.inboxes(), WINDOW)), head);
            });
            for (LoggedEvent row : window.rows) {
                for (LoggedEvent.Entry entry : row.entries()) {
                    if (entry.number() > at
                            && query.filter().test(entry)
                            && SubscriptionFilter.isShown(caller, entry)) {
                        byte[] bytes = renderer.bytes(caller, entry, null);
                        if (bytes != null) {
                            entries.add(new FeedEntry(entry, bytes));
                            octets += bytes.length;
                        }
                        if (entries.size() == query.most() || octets > LARGEST_PAGE) {
                            return new FeedPage(entries, entry.number(), true);
                        }
                    }
                }
                at = Math.max(at, row.number() + row.labels().size());
            }
            if (window.rows.size() < WINDOW) {
                return new FeedPage(entries, Math.max(at, window.head), false);
            }
        }
        return new FeedPage(entries, at, true);
    }
}
