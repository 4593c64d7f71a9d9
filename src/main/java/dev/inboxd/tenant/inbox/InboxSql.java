package dev.inboxd.tenant.inbox;

import dev.inboxd.mail.text.Words;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.page.Cursor;
import dev.inboxd.platform.page.PageRequest;
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
            i.send_approval, i.sending_paused, i.created_at, i.updated_at,
            (select least(o.sending_stopped_at, p.sending_stopped_at) from organization o
             left join pod p on p.organization_id = o.organization_id and p.pod_id = i.pod_id
             where o.organization_id = {organization}) as stopped_at
            """;
    private static final String SELECT = "select " + COLUMNS + " from inbox i where {i} and not i.deleting";
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

    static List<Inbox> list(Tx tx, View view, PageRequest page) {
        String order = page.ascending() ? "asc" : "desc";
        String compare = page.ascending() ? ">" : "<";
        Cursor after = page.after();
        String sql = SELECT
                + (after == null ? "" : " and (i.created_at, i.inbox_id) " + compare + " (:time, :id)")
                + " order by i.created_at " + order + ", i.inbox_id " + order + " limit :limit";
        return tx.sql(view, sql)
                .bind("limit", page.fetch())
                .bind("time", after == null ? null : after.instant(0))
                .bind("id", after == null ? null : after.uuid(1))
                .list(InboxSql::read);
    }

    static Optional<Inbox> oldest(Tx tx, View view) {
        return tx.sql(view, SELECT + " order by i.created_at, i.inbox_id limit 1")
                .first(InboxSql::read);
    }

    static int count(Tx tx, View view) {
        return tx.sql(view, "select count(*) as n from inbox i where {i} and not i.deleting")
                .one(row -> row.integer("n"));
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
                                   updated_at = :now
                where {i} and i.inbox_id = :id""")
                .bind("id", inbox.id())
                .bind("display_name", inbox.displayName())
                .bind("words", words(inbox))
                .bind("metadata", inbox.metadata())
                .bind("status", inbox.status().wireName())
                .bind("approval", inbox.sending().needsApproval())
                .bind("paused", inbox.sending().isPaused())
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
    static List<SearchHit> search(Tx tx, View view, String query, PageRequest page) {
        List<String> starts = Stream.of(Words.line(query).split(" "))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
        if (starts.isEmpty()) {
            return List.of(); // nothing but punctuation, which no word has
        }
        String rank = "case when i.address = :query then 0 when starts_with(i.address, :query) then 1 else 2 end";
        Cursor after = page.after();
        // A folded word has no characters with a special meaning in LIKE.
        return tx.sql(
                        view,
                        "select f.* from (" + SELECT.replace("from inbox i", ", " + rank + " as rank from inbox i")
                                + " and i.words like all (:starts)) as f"
                                + (after == null
                                        ? ""
                                        : " where (f.rank, :time, :id) > (:rank, f.created_at, f.inbox_id)")
                                + " order by f.rank, f.created_at desc, f.inbox_id desc limit :limit")
                .bind("query", query.toLowerCase(Locale.ROOT))
                .bind("limit", page.fetch())
                .bind("starts", starts.stream().map(start -> "% " + start + "%").toList())
                .bind("rank", after == null ? null : after.number(0))
                .bind("time", after == null ? null : after.instant(1))
                .bind("id", after == null ? null : after.uuid(2))
                .until(System.nanoTime() + WITHIN.toNanos())
                .list(row -> new SearchHit(read(row), row.integer("rank")));
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
                        row.flag("send_approval"), row.flag("sending_paused"), row.instantOrNull("stopped_at")),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
