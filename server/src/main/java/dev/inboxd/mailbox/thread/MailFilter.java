package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.Statement;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.FilteredPage;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.mailbox.label.Labels;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a list or a search of messages or threads.
 *
 * @param labels labels that must all be there
 * @param excluded bits of the restricted labels that the request did not ask to include
 * @param after not earlier than this, or null
 * @param before earlier than this, or null
 * @param texts substrings that the addresses and the subject must contain
 * @param isAttached whether there are attachments, or null for all
 */
public record MailFilter(
        List<String> labels,
        int excluded,
        @Nullable Instant after,
        @Nullable Instant before,
        Texts texts,
        @Nullable Boolean isAttached) {
    public MailFilter {
        labels = List.copyOf(labels);
    }

    /** A filter without texts. */
    public MailFilter(List<String> labels, int excluded, @Nullable Instant after, @Nullable Instant before) {
        this(labels, excluded, after, before, Texts.NONE, null);
    }

    /**
     * Substrings, matched without regard to case; all must be found (mail.md §6.1, §7). A recipient substring must be
     * in one of the recipients' addresses.
     */
    public record Texts(List<String> senders, List<String> recipients, List<String> subject) {
        /** No substring: everything matches. */
        public static final Texts NONE = new Texts(List.of(), List.of(), List.of());

        public Texts {
            senders = List.copyOf(senders);
            recipients = List.copyOf(recipients);
            subject = List.copyOf(subject);
        }

        /** Whether no substring is asked for. */
        public boolean isEmpty() {
            return senders.isEmpty() && recipients.isEmpty() && subject.isEmpty();
        }
    }

    /**
     * The filter beside the words of a search, which finds no restricted mail anyway.
     *
     * @param senders the parameter that has substrings of the senders
     * @param recipients the parameter that has substrings of the recipients
     */
    public static MailFilter ofSearch(Query query, String senders, String recipients) {
        return new MailFilter(labels(query), 0, query.instant("after"), query.instant("before"))
                .with(new Texts(query.list(senders), query.list(recipients), query.list("subject")))
                .with(attached(query));
    }

    /** The labels that a request asks for, as they are stored. */
    public static List<String> labels(Query query) {
        return query.words("labels").stream().map(Labels::normal).toList();
    }

    /** Whether a request asks for attachments, or for none; null when it does not say. */
    public static @Nullable Boolean attached(Query query) {
        return query.flag("has_attachments");
    }

    /** This filter with these substrings. */
    public MailFilter with(Texts others) {
        return new MailFilter(labels, excluded, after, before, others, isAttached);
    }

    /** This filter for what has attachments, or has none; null for both. */
    public MailFilter with(@Nullable Boolean attached) {
        return new MailFilter(labels, excluded, after, before, texts, attached);
    }

    /** Whether times alone are asked for. */
    public boolean isOfTimes() {
        return labels.isEmpty() && texts.isEmpty() && isAttached == null;
    }

    /** This filter without what is earlier than this time. */
    public MailFilter notBefore(Instant time) {
        return new MailFilter(
                labels, excluded, after == null || after.isBefore(time) ? time : after, before, texts, isAttached);
    }

    /**
     * The SQL condition for a row to match, with the parameters {@code labels}, {@code senders}, {@code recipients},
     * {@code subject} and {@code attached}.
     */
    public String condition(Columns columns) {
        StringBuilder sql = new StringBuilder("true");
        sql.append(labels.isEmpty() ? "" : " and " + columns.labels + " @> :labels::text[]");
        sql.append(texts.senders.isEmpty() ? "" : containsEach(columns.senders, "senders"));
        sql.append(texts.recipients.isEmpty() ? "" : containsEach(columns.recipients, "recipients"));
        sql.append(texts.subject.isEmpty() ? "" : containsEach("coalesce(" + columns.subject + ", '')", "subject"));
        sql.append(isAttached == null ? "" : " and (" + columns.attachments + " > 0) = :attached");
        return sql.toString();
    }

    /** The same condition with all its parts, so that it is one for every filter. */
    public static String fullCondition(Columns columns) {
        return columns.labels + " @> :labels::text[]" + containsEach(columns.senders, "senders")
                + containsEach(columns.recipients, "recipients")
                + containsEach("coalesce(" + columns.subject + ", '')", "subject")
                + " and coalesce((" + columns.attachments + " > 0) = :attached, true)";
    }

    /** The SQL that bounds a window by time and orders it, with {@code after}, {@code before} and {@code cursor}. */
    public String within(String time, FilteredPage.Window window, PageRequest page) {
        return timed(time) + ordered(time, window, page);
    }

    /** The SQL of the times between which a row must be, with {@code after} and {@code before}. */
    String timed(String time) {
        return (after == null ? "" : " and " + time + " >= :after")
                + (before == null ? "" : " and " + time + " < :before");
    }

    /** The SQL that begins a window where the last one ended and orders it by a column, with {@code cursor}. */
    static String ordered(String key, FilteredPage.Window window, PageRequest page) {
        return (window.after() == null ? "" : " and " + key + (page.ascending() ? " > " : " < ") + ":cursor")
                + " order by " + key + (page.ascending() ? " asc" : " desc");
    }

    /** Binds the parameters of both, {@code excluded}, and the sizes of a window: {@code window} and {@code fetch}. */
    public Statement bind(Statement statement, FilteredPage.Window window) {
        Cursor cursor = window.after();
        return bindCondition(statement)
                .bind("excluded", excluded)
                .bind("after", after)
                .bind("before", before)
                .bind("cursor", cursor == null ? null : cursor.instant(0))
                .bind("window", window.rows())
                .bind("fetch", window.remaining());
    }

    /** Binds the parameters of {@link #condition} and of {@link #fullCondition}. */
    public Statement bindCondition(Statement statement) {
        return statement
                .bind("labels", labels)
                .bind("senders", texts.senders)
                .bind("recipients", texts.recipients)
                .bind("subject", texts.subject)
                .bind("attached", isAttached);
    }

    /** The columns that are filtered; addresses are one text with line breaks between them. */
    public record Columns(String labels, String senders, String recipients, String subject, String attachments) {}

    /** A search by {@code strpos}, in which no character has a special meaning. */
    private static String containsEach(String text, String parameter) {
        return " and not exists (select 1 from unnest(:" + parameter + "::text[]) as p (part)" + " where strpos(lower("
                + text + "), lower(p.part)) = 0)";
    }
}
