package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.Statement;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.FilteredPage;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.mailbox.claim.ShownClaim;
import org.jspecify.annotations.Nullable;

/**
 * Which threads a list has, and in which order (mail.md §7.1).
 *
 * @param mail what else they match
 * @param waiting the side that waits in them, or null for all threads
 * @param isClaimed whether somebody claims them, or null for all threads
 * @param isBySince whether they are in the order in which the waiting began; only with a side
 */
public record ThreadFilter(
        MailFilter mail,
        ThreadWait.@Nullable Side waiting,
        @Nullable Boolean isClaimed,
        boolean isBySince) {
    /** The column of the order, of {@code thread t}; unique in an organization. */
    String key() {
        return isBySince ? "t.waiting_since" : "t.at";
    }

    /** The place of a thread in the list. */
    public Cursor place(MailThread thread) {
        return Cursor.of(
                isBySince ? thread.waiting().startedAt() : thread.totals().at());
    }

    /** Binds the parameters of both and of the filter. */
    Statement bind(Statement statement, FilteredPage.Window window) {
        return mail.bind(statement, window).bind("waiting", waiting == null ? null : waiting.code());
    }

    /** The SQL condition for a thread of a window to match. */
    String condition(MailFilter.Columns columns) {
        return mail.condition(columns)
                + (isClaimed == null ? "" : (isClaimed ? " and " : " and not ") + ShownClaim.EXISTS)
                + (isBySince ? mail.timed("t.at") : "");
    }

    /**
     * The SQL that bounds a window and orders it. In the order of the waiting the times of the threads bound no window:
     * one would read all threads in which somebody waits until enough of them match. But no waiting began behind the
     * time of its thread.
     */
    String within(FilteredPage.Window window, PageRequest page) {
        if (!isBySince) {
            return (waiting == null ? "" : WaitingSql.LISTED) + mail.within("t.at", window, page);
        }
        return WaitingSql.LISTED
                + (mail.before() == null ? "" : " and t.waiting_since < :before")
                + MailFilter.ordered(key(), window, page);
    }
}
