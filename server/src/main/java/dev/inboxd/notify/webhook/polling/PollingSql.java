package dev.inboxd.notify.webhook.polling;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.event.EventType;
import dev.inboxd.notify.delivery.Payloads;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on polling webhooks, their queues and consumers. */
final class PollingSql {
    private static final String SELECT = """
            select w.webhook_id, w.pod_id, w.inbox_id, w.event_types, w.pod_ids, w.client_id, w.created_at,
                   w.updated_at,
                   (select i.address from inbox i
                    where i.organization_id = {organization} and i.inbox_id = w.inbox_id) as inbox_name,
                   array(select i.address from unnest(w.inbox_ids) with ordinality as l (id, position)
                         join inbox i on i.organization_id = {organization} and i.inbox_id = l.id
                         order by l.position) as inbox_names
            from webhook w where {w} and w.polling""";
    private static final String OWNED =
            " and w.pod_id is not distinct from :pod::uuid" + " and w.inbox_id is not distinct from :inbox::uuid";
    private static final String QUEUED =
            "{c} and c.webhook_id = :webhook and c.due_at is null and c.failed_at is null" + " and c.position is null";
    private static final KeysetList LIST = KeysetList.byTimeAndName("w.created_at", "w.webhook_id");

    private PollingSql() {}

    static Optional<PollingWebhook> findByClientId(Tx tx, View all, String clientId) {
        return tx.sql(all, SELECT + " and w.client_id = :client")
                .bind("client", clientId)
                .first(PollingSql::read);
    }

    /** A polling webhook that this owner itself has, by its id or its client_id. */
    static Optional<PollingWebhook> find(Tx tx, View all, Webhook.Owner owner, String id) {
        return tx.sql(
                        all,
                        SELECT + OWNED + " and (w.webhook_id = :id or w.client_id = :id) order by w.webhook_id <> :id")
                .bind("pod", owner.pod())
                .bind("inbox", owner.inbox())
                .bind("id", id)
                .first(PollingSql::read);
    }

    static List<PollingWebhook> list(Tx tx, View all, Webhook.Owner owner, PageRequest page) {
        return LIST.page(tx, all, SELECT + OWNED, page)
                .bind("pod", owner.pod())
                .bind("inbox", owner.inbox())
                .list(PollingSql::read);
    }

    /** The stored form of a token. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredToken(byte[] hash, byte[] sealedSigning) {}

    static void insert(Tx tx, View all, PollingWebhook webhook, List<UUID> inboxes, StoredToken key) {
        tx.sql(all, """
                insert into webhook (organization_id, webhook_id, polling, pod_id, inbox_id, secret, token_hash,
                                     enabled, event_types, pod_ids, inbox_ids, client_id, created_at, updated_at)
                values ({organization}, :id, true, :pod, :inbox, :secret, :hash, true, :types, :pods, :inboxes, :client,
                        :now, :now)""")
                .bind("id", webhook.id())
                .bind("pod", webhook.owner().pod())
                .bind("inbox", webhook.owner().inbox())
                .bind("secret", key.sealedSigning)
                .bind("hash", key.hash)
                .bind(
                        "types",
                        webhook.eventTypes().stream().map(EventType::wireName).toList())
                .bind("pods", WebhookSql.idsOrNull(webhook.targets().pods()))
                .bind("inboxes", WebhookSql.idsOrNull(inboxes))
                .bind("client", webhook.clientId())
                .bind("now", webhook.createdAt())
                .run();
    }

    /** Replaces the token; the old token is invalid from the commit on. */
    static void rekey(Tx tx, View all, String id, StoredToken key) {
        tx.sql(all, "update webhook w set secret = :secret, token_hash = :hash where {w} and w.webhook_id = :id")
                .bind("secret", key.sealedSigning)
                .bind("hash", key.hash)
                .bind("id", id)
                .run();
    }

    /**
     * The members of a polling webhook that a fetch needs.
     *
     * @param tokenHash SHA-256 of the token
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Queue(byte[] tokenHash, Webhook.Owner owner, Instant createdAt, Instant updatedAt) {}

    static Optional<Queue> queue(Tx tx, View all, String id) {
        return tx.sql(
                        all,
                        "select w.token_hash, w.pod_id, w.inbox_id, w.created_at, w.updated_at from webhook w"
                                + " where {w} and w.polling and w.webhook_id = :id")
                .bind("id", id)
                .first(row -> new Queue(
                        row.bytes("token_hash"),
                        new Webhook.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), null),
                        row.instant("created_at"),
                        row.instant("updated_at")));
    }

    /** The cursor of a consumer. */
    record Consumer(long committed, long issued, boolean leased) {}

    static Optional<Consumer> consumer(Tx tx, View all, String webhook, String consumer) {
        return tx.sql(
                        all,
                        "select c.committed, c.issued, coalesce(c.leased_until > {now}, false) as leased"
                                + " from polling_consumer c"
                                + " where {c} and c.webhook_id = :webhook and c.consumer_id = :consumer")
                .bind("webhook", webhook)
                .bind("consumer", consumer)
                .first(row -> new Consumer(row.longer("committed"), row.longer("issued"), row.flag("leased")));
    }

    static int consumers(Tx tx, View all, String webhook) {
        return tx.sql(all, "select count(*) as n from polling_consumer c where {c} and c.webhook_id = :webhook")
                .bind("webhook", webhook)
                .single(row -> row.integer("n"));
    }

    static void begin(Tx tx, View all, String webhook, String consumer, long committed) {
        tx.sql(
                        all,
                        "insert into polling_consumer"
                                + " (organization_id, webhook_id, consumer_id, committed, issued, used_at)"
                                + " values ({organization}, :webhook, :consumer, :committed, 0, {now})")
                .bind("webhook", webhook)
                .bind("consumer", consumer)
                .bind("committed", committed)
                .run();
    }

    /** Whether the queue has events behind this position. */
    static boolean waits(Tx tx, View all, String webhook, long committed) {
        return tx.sql(
                        all,
                        "select exists (select 1 from delivery c where " + QUEUED + ") or exists (select 1"
                                + " from delivery d"
                                + " where {d} and d.webhook_id = :webhook and d.position > :committed) as waits")
                .bind("webhook", webhook)
                .bind("committed", committed)
                .single(row -> row.flag("waits"));
    }

    /** Gives the next positions to events that have none yet; returns how many. */
    static int place(Tx tx, View all, String webhook, int most) {
        int placed = tx.sql(
                        all,
                        "update delivery d set position = w.last_position + n.place from webhook w, ("
                                + " select q.seq, row_number() over (order by q.seq) as place from ("
                                + "   select c.seq from delivery c where " + QUEUED
                                + " order by c.seq limit :most) as q) as n"
                                + " where {d} and {w}"
                                + " and w.webhook_id = :webhook and d.webhook_id = :webhook and d.seq = n.seq")
                .bind("webhook", webhook)
                .bind("most", most)
                .run();
        if (placed > 0) {
            tx.sql(
                            all,
                            "update webhook w set last_position = w.last_position + :placed"
                                    + " where {w} and w.webhook_id = :webhook")
                    .bind("webhook", webhook)
                    .bind("placed", placed)
                    .run();
        }
        return placed;
    }

    static long lastPosition(Tx tx, View all, String webhook) {
        return tx.sql(all, "select w.last_position from webhook w where {w} and w.webhook_id = :webhook")
                .bind("webhook", webhook)
                .single(row -> row.longer("last_position"));
    }

    private static final String WEIGHT =
            "coalesce(octet_length(d.payload), 0) + coalesce(octet_length(e.details::text), 0) + 1024";

    /** An event in the queue; without a payload when it was never fetched. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record QueuedEvent(long position, Payloads.EventRow event, byte @Nullable [] payload) {}

    /** The next events, as far as there is room for what is stored of them. */
    static WeighedPage.Rows<QueuedEvent> waiting(Tx tx, View all, String webhook, long committed, int most) {
        String keys = "select d.position, d.seq from delivery d"
                + " where {d} and d.webhook_id = :webhook and d.position > :committed order by d.position limit :most";
        String rows = "join delivery d on d.organization_id = {organization} and d.webhook_id = :webhook"
                + " and d.seq = %1$s.seq join event e on e.organization_id = {organization} and e.seq = %1$s.seq";
        return WeighedPage.Rows.of(tx.sql(
                        all,
                        "select x.position, x.found, d.payload, e.seq, e.at, e.type, e.message_id,"
                                + " e.details::text as details from "
                                + WeighedPage.within(keys, rows.formatted("k"), WEIGHT, "position") + " as x "
                                + rows.formatted("x") + " where x.ahead < :room order by x.position")
                .bind("webhook", webhook)
                .bind("committed", committed)
                .bind("most", most)
                .bind("room", PollingQueue.LARGEST_ANSWER)
                .list(row -> new WeighedPage.Counted<>(
                        new QueuedEvent(
                                row.longer("position"), Payloads.EventRow.read(row), row.bytesOrNull("payload")),
                        row.integer("found"))));
    }

    static void lease(Tx tx, View all, String webhook, String consumer, long issued, Duration lease) {
        tx.sql(all, """
                update polling_consumer c set leased_until = {now} + make_interval(secs => :lease),
                                              issued = greatest(c.issued, :issued), used_at = {now}
                where {c} and c.webhook_id = :webhook and c.consumer_id = :consumer""")
                .bind("lease", lease.toMillis() / 1e3)
                .bind("issued", issued)
                .bind("webhook", webhook)
                .bind("consumer", consumer)
                .run();
    }

    static void commit(Tx tx, View all, String webhook, String consumer, long position) {
        tx.sql(all, """
                update polling_consumer c set leased_until = null, committed = greatest(c.committed, :position),
                                              used_at = {now}
                where {c} and c.webhook_id = :webhook and c.consumer_id = :consumer""")
                .bind("position", position)
                .bind("webhook", webhook)
                .bind("consumer", consumer)
                .run();
    }

    /**
     * Stores the payload of a first fetch, so that every later fetch gets the same bytes. A payload that is already
     * stored stays.
     */
    static void storePayload(Tx tx, View all, String webhook, long seq, byte[] payload) {
        tx.sql(
                        all,
                        "update delivery d set payload = coalesce(d.payload, :payload)"
                                + " where {d} and d.webhook_id = :webhook and d.seq = :seq")
                .bind("payload", payload)
                .bind("webhook", webhook)
                .bind("seq", seq)
                .run();
    }

    private static PollingWebhook read(Row row) {
        return new PollingWebhook(
                row.text("webhook_id"),
                new Webhook.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), row.textOrNull("inbox_name")),
                row.text("client_id"),
                row.texts("event_types").stream()
                        .map(EventType::ofWire)
                        .map(Objects::requireNonNull)
                        .toList(),
                new Webhook.Targets(row.uuids("pod_ids"), row.texts("inbox_names")),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
