package dev.inboxd.mailbox.thread;

import dev.inboxd.platform.page.Cursor;
import dev.inboxd.platform.page.FilteredPage;
import dev.inboxd.platform.page.PageRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which messages or threads a list wants.
 *
 * @param labels all of them must be there
 * @param excluded bits of the restricted labels that the request did not ask to include
 * @param after not earlier than this, or null
 * @param before earlier than this, or null
 * @param texts what must be found in the addresses and the subject
 */
public record MailFilter(
        List<String> labels,
        int excluded,
        @Nullable Instant after,
        @Nullable Instant before,
        Texts texts) {
    public MailFilter {
        labels = List.copyOf(labels);
    }

    /** A filter without texts. */
    public MailFilter(List<String> labels, int excluded, @Nullable Instant after, @Nullable Instant before) {
        this(labels, excluded, after, before, Texts.NONE);
    }

    /**
     * Texts of which each must be part of what it is looked for in, in upper or lower case (mail.md §6.1,
     * §7). For recipients, one of the addresses must hold it.
     */
    public record Texts(List<String> senders, List<String> recipients, List<String> subject) {
        /** Everything matches. */
        public static final Texts NONE = new Texts(List.of(), List.of(), List.of());

        public Texts {
            senders = List.copyOf(senders);
            recipients = List.copyOf(recipients);
            subject = List.copyOf(subject);
        }

        /** Whether there is nothing to look for. */
        public boolean isEmpty() {
            return senders.isEmpty() && recipients.isEmpty() && subject.isEmpty();
        }
    }

    /** This filter that looks for texts too. */
    public MailFilter with(Texts others) {
        return new MailFilter(labels, excluded, after, before, others);
    }

    /**
     * The condition that a row is wanted, with the parameters {@code labels}, {@code senders}, {@code recipients} and
     * {@code subject}.
     */
    public String wanted(Columns columns) {
        StringBuilder sql = new StringBuilder("true");
        sql.append(labels.isEmpty() ? "" : " and " + columns.labels + " @> :labels::text[]");
        sql.append(texts.senders.isEmpty() ? "" : each(columns.senders, "senders"));
        sql.append(texts.recipients.isEmpty() ? "" : each(columns.recipients, "recipients"));
        sql.append(texts.subject.isEmpty() ? "" : each("coalesce(" + columns.subject + ", '')", "subject"));
        return sql.toString();
    }

    /** The condition that bounds a window by time, with {@code after}, {@code before} and {@code cursor}. */
    public String within(String time, FilteredPage.Window window, PageRequest page) {
        return (after == null ? "" : " and " + time + " >= :after")
                + (before == null ? "" : " and " + time + " < :before")
                + (window.after() == null ? "" : " and " + time + (page.ascending() ? " > " : " < ") + ":cursor")
                + " order by " + time + (page.ascending() ? " asc" : " desc");
    }

    /** The time in a window's cursor, or null. */
    public static @Nullable Instant cursor(FilteredPage.Window window) {
        Cursor cursor = window.after();
        return cursor == null ? null : cursor.instant(0);
    }

    /** Where a table keeps what is filtered; addresses as one text with line breaks between them. */
    public record Columns(String labels, String senders, String recipients, String subject) {}

    /** A plain search for a part, because no character of it means anything else. */
    private static String each(String text, String parameter) {
        return " and not exists (select 1 from unnest(:" + parameter + "::text[]) as p (part)" + " where strpos(lower("
                + text + "), lower(p.part)) = 0)";
    }
}
