package dev.inboxd.tenant.inbox;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.mail.text.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The inbox rows. The row of a deleted inbox exists until its mail is removed; no look-up here returns it. */
final class InboxSql {
    private static final String COLUMNS = """
            i.inbox_id, i.pod_id, i.address, i.display_name, i.client_id, i.metadata::text as metadata, i.status,
            i.send_approval, i.sending_paused, i.reply_once, i.created_at, i.updated_at,
            (select least(o.sending_stopped_at, p.sending_stopped_at) from organization o
             left join pod p on p.organization_id = o.organization_id and p.pod_id = i.pod_id
             where o.organization_id = {organization}) as stopped_at
            """;
    private static final String SELECT = "select " + COLUMNS + " from inbox i where {i} and not i.deleting";
    /** The octets that an inbox has on a page. */
    private static final String WEIGHT = "coalesce(octet_length(i.metadata::text), 0) + 1024";

    private static final String WEIGHED =
            "join inbox i on i.organization_id = {organization} and i.inbox_id = k.inbox_id";
    private static final String OF_PAGE = " as x join inbox i on i.organization_id = {organization}"
            + " and i.inbox_id = x.inbox_id where x.ahead < :room";
    private static final String BY_ADDRESS = SELECT + " and i.address = :address";
    private static final String BY_CLIENT = SELECT + " and i.client_id = :client";
    private static final RowStatement<UUID> OF_KEYS = RowStatement.of(
            "select {tenant}" + COLUMNS
                    + "from {rows} as r join inbox i on {i} and i.inbox_id = r.key where not i.deleting",
            RowStatement.uuid("key", id -> id));

    private static final Duration WITHIN = Duration.ofSeconds(2);

    private InboxSql() {}

    /**
     * An inbox that a search found.
     *
     * @param rank how well it matches, 0 best
     */
    record SearchHit(Inbox inbox, int rank) {}

    static Optional<Inbox> findByClientId(Tx tx, View view, String clientId) {
        return tx.sql(view, BY_CLIENT).bind("client", clientId).first(InboxSql::read);
    }

    static Optional<Inbox> find(Tx tx, View view, UUID id) {
        return tx.sql(view, SELECT + " and i.inbox_id = :id").bind("id", id).first(InboxSql::read);
    }

    /** Adds a look-up by the address. */
    static RoundTrip.Result<Inbox> prefetchByAddress(RoundTrip trip, View view, String address) {
        return trip.query(view, BY_ADDRESS, InboxSql::read, "address", address);
    }

    /** Adds a look-up by the client_id. */
    static RoundTrip.Result<Inbox> prefetchByClientId(RoundTrip trip, View view, String clientId) {
        return trip.query(view, BY_CLIENT, InboxSql::read, "client", clientId);
    }

    static RoundTrip.Result<Inbox> prefetch(RoundTrip trip, View view, Collection<UUID> ids) {
        return trip.query(view, OF_KEYS, List.copyOf(ids), InboxSql::read);
    }

    static WeighedPage.Rows<Inbox> list(Tx tx, View view, PageRequest page) {
        String direction = page.ascending() ? "asc" : "desc";
        String compare = page.ascending() ? ">" : "<";
        Cursor after = page.after();
        String order = "created_at " + direction + ", inbox_id " + direction;
        String keys = "select i.inbox_id, i.created_at from inbox i where {i} and not i.deleting"
                + (after == null ? "" : " and (i.created_at, i.inbox_id) " + compare + " (:time, :id)")
                + " order by i." + order.replace(", ", ", i.") + " limit :limit";
        return WeighedPage.Rows.of(tx.sql(
                        view,
                        "select " + COLUMNS + ", x.found from " + WeighedPage.within(keys, WEIGHED, WEIGHT, order)
                                + OF_PAGE
                                + " order by x." + order.replace(", ", ", x."))
                .bind("limit", page.fetch())
                .bind("room", page.room())
                .bind("time", after == null ? null : after.instant(0))
                .bind("id", after == null ? null : after.uuid(1))
                .list(row -> new WeighedPage.Counted<>(read(row), row.integer("found"))));
    }

    static Optional<Inbox> oldest(Tx tx, View view) {
        return tx.sql(view, SELECT + " order by i.created_at, i.inbox_id limit 1")
                .first(InboxSql::read);
    }

    static int count(Tx tx, View view) {
        return tx.sql(view, "select count(*) as n from inbox i where {i} and not i.deleting")
                .single(row -> row.integer("n"));
    }

    static void insert(Tx tx, View view, Inbox inbox) {
        tx.sql(view, """
                insert into inbox (organization_id, inbox_id, pod_id, address, display_name, words, client_id, metadata,
                                   status, sending_paused, created_at, updated_at)
                values ({organization}, :id, :pod, :address, :display_name, :words, :client_id, :metadata::jsonb,
                        :status, :paused, :now, :now)""")
                .bind("id", inbox.id())
                .bind("pod", inbox.pod())
                .bind("address", inbox.address())
                .bind("display_name", inbox.displayName())
                .bind("words", words(inbox))
                .bind("client_id", inbox.clientId())
                .bind("metadata", inbox.metadata())
                .bind("status", inbox.status().wireName())
                .bind("paused", inbox.sending().isPaused())
                .bind("now", inbox.createdAt())
                .run();
    }

    static void update(Tx tx, View view, Inbox inbox) {
        tx.sql(view, """
                update inbox i set display_name = :display_name, words = :words, metadata = :metadata::jsonb,
                                   status = :status, send_approval = :approval, sending_paused = :paused,
                                   reply_once = :once,
                                   updated_at = :now
                where {i} and i.inbox_id = :id""")
                .bind("id", inbox.id())
                .bind("display_name", inbox.displayName())
                .bind("words", words(inbox))
                .bind("metadata", inbox.metadata())
                .bind("status", inbox.status().wireName())
                .bind("approval", inbox.sending().needsApproval())
                .bind("paused", inbox.sending().isPaused())
                .bind("once", inbox.sending().repliesOnce())
                .bind("now", inbox.updatedAt())
                .run();
    }

    static void markDeleting(Tx tx, View view, UUID id, Instant now) {
        tx.sql(view, "update inbox i set deleting = true, updated_at = :now where {i} and i.inbox_id = :id")
                .bind("id", id)
                .bind("now", now)
                .run();
    }

    /**
     * The inboxes in which every word of the query is the start of a word. The inbox with this address comes first,
     * then those whose address begins with the query, then the others; the newest first within each.
     */
    static WeighedPage.Rows<SearchHit> search(Tx tx, View view, String query, PageRequest page) {
        List<String> starts = Stream.of(Words.line(query).split(" "))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
        if (starts.isEmpty()) {
            return WeighedPage.Rows.of(List.of()); // nothing but punctuation, which no word has
        }
        Cursor after = page.after();
        // A folded word has no characters with a special meaning in LIKE.
        String keys = "select f.* from (select i.inbox_id, i.created_at, case when i.address = :query then 0"
                + " when starts_with(i.address, :query) then 1 else 2 end as rank from inbox i"
                + " where {i} and not i.deleting and i.words like all (:starts)) as f"
                + (after == null ? "" : " where (f.rank, :time, :id) > (:rank, f.created_at, f.inbox_id)")
                + " order by f.rank, f.created_at desc, f.inbox_id desc limit :limit";
        return WeighedPage.Rows.of(tx.sql(
                        view,
                        "select " + COLUMNS + ", x.rank, x.found from "
                                + WeighedPage.within(keys, WEIGHED, WEIGHT, "rank, created_at desc, inbox_id desc")
                                + OF_PAGE
                                + " order by x.rank, x.created_at desc, x.inbox_id desc")
                .bind("query", query.toLowerCase(Locale.ROOT))
                .bind("limit", page.fetch())
                .bind("room", page.room())
                .bind("starts", starts.stream().map(start -> "% " + start + "%").toList())
                .bind("rank", after == null ? null : after.number(0))
                .bind("time", after == null ? null : after.instant(1))
                .bind("id", after == null ? null : after.uuid(2))
                .until(System.nanoTime() + WITHIN.toNanos())
                .list(row -> new WeighedPage.Counted<>(
                        new SearchHit(read(row), row.integer("rank")), row.integer("found"))));
    }

    /** The words by which an inbox is found. */
    private static String words(Inbox inbox) {
        return Words.line(inbox.address() + " " + Objects.requireNonNullElse(inbox.displayName(), ""));
    }

    private static Inbox read(Row row) {
        @Nullable String metadata = row.textOrNull("metadata");
        return new Inbox(
                row.uuid("inbox_id"),
                row.uuid("pod_id"),
                row.text("address"),
                row.textOrNull("display_name"),
                row.textOrNull("client_id"),
                metadata,
                row.text("status").equals(Inbox.Status.PAUSED.wireName()) ? Inbox.Status.PAUSED : Inbox.Status.ACTIVE,
                new Inbox.Sending(
                        row.flag("send_approval"),
                        row.flag("sending_paused"),
                        row.flag("reply_once"),
                        row.instantOrNull("stopped_at")),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
