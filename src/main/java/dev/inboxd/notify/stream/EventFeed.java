package dev.inboxd.notify.stream;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The log of an organization as one caller sees it, read forward from any place in it, without gaps. */
final class EventFeed {
    private static final int WINDOW = 500;
    /** So many rows are looked through for one page; then it ends early and its cursor goes on. */
    private static final int MOST_WINDOWS = 40;
    /** Payloads have bodies in them: a page of large ones ends early, and its cursor goes on. */
    private static final int LARGEST_PAGE = 1 << 20;

    private final Database database;
    private final EventRenderer telling;

    EventFeed(Database database, EventRenderer telling) {
        this.database = database;
        this.telling = telling;
    }

    /**
     * What is looked for.
     *
     * @param wanted of what the caller may see
     * @param inboxes only of these, or null
     * @param most entries of a page
     */
    record FeedQuery(
            Predicate<LoggedEvent.Entry> wanted, @Nullable Collection<UUID> inboxes, int most) {}

    /** An entry and its JSON text. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record FeedEntry(LoggedEvent.Entry entry, byte[] bytes) {}

    /**
     * Some entries, oldest first.
     *
     * @param upTo where the page ends: every entry up to this number is on it or was not looked for
     * @param more whether there may be more now
     */
    record FeedPage(List<FeedEntry> entries, long upTo, boolean more) {
        FeedPage {
            entries = List.copyOf(entries);
        }
    }

    private record Window(List<LoggedEvent> rows, long head) {}

    /** The last number of an organization's log. */
    long head(UUID organization) {
        return database.read(tx -> StreamSql.head(tx, View.of(organization)));
    }

    /** The page behind that number. */
    FeedPage read(Caller caller, FeedQuery ask, long after) {
        View view = caller.view();
        List<FeedEntry> told = new ArrayList<>();
        long at = after;
        long octets = 0;
        for (int i = 0; i < MOST_WINDOWS; i++) {
            long from = at;
            Window window = database.read(tx -> {
                long head = StreamSql.head(tx, View.of(view.organization()));
                return new Window(
                        StreamSql.rows(tx, view, new StreamSql.LogRange(from, head, ask.inboxes(), WINDOW)), head);
            });
            for (LoggedEvent row : window.rows) {
                for (LoggedEvent.Entry entry : row.entries()) {
                    if (entry.number() > at && ask.wanted().test(entry) && SubscriptionFilter.isShown(caller, entry)) {
                        byte[] bytes = telling.bytes(caller, entry, null);
                        if (bytes != null) {
                            told.add(new FeedEntry(entry, bytes));
                            octets += bytes.length;
                        }
                        if (told.size() == ask.most() || octets > LARGEST_PAGE) {
                            return new FeedPage(told, entry.number(), true);
                        }
                    }
                }
                at = Math.max(at, row.number() + row.labels().size());
            }
            if (window.rows.size() < WINDOW) {
                return new FeedPage(told, Math.max(at, window.head), false);
            }
        }
        return new FeedPage(told, at, true);
    }
}
