package dev.inboxd.webhook;

import dev.inboxd.database.Row;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.event.EventType;
import dev.inboxd.page.Cursor;
import dev.inboxd.page.Page;
import dev.inboxd.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The webhook rows. Secrets and custom headers are sealed in them. */
final class WebhookSql {
    private static final String SECRET = "webhook secret";
    private static final String HEADERS = "webhook headers";

    private static final String SELECT = """
            select w.webhook_id, w.pod_id, w.inbox_id, w.url, w.secret, w.enabled, w.event_types, w.pod_ids,
                   w.client_id, w.created_at, w.updated_at,
                   (select i.address from inbox i
                    where i.organization_id = w.organization_id and i.inbox_id = w.inbox_id) as inbox_name,
                   array(select i.address from unnest(w.inbox_ids) with ordinality as l (id, position)
                         join inbox i on i.organization_id = w.organization_id and i.inbox_id = l.id
                         order by l.position) as inbox_names
            from webhook w where {w}""";

    private final Vault vault;

    WebhookSql(Vault vault) {
        this.vault = vault;
    }

    Optional<Webhook> find(Tx tx, View view, String id) {
        return tx.sql(view, SELECT + " and w.webhook_id = :id").bind("id", id).first(this::read);
    }

    Optional<Webhook> findByClientId(Tx tx, View view, String clientId) {
        return tx.sql(view, SELECT + " and w.client_id = :client").bind("client", clientId).first(this::read);
    }

    List<Webhook> list(Tx tx, View view, Page page) {
        String order = page.ascending() ? "asc" : "desc";
        Cursor after = page.after();
        String sql = SELECT
                + (after == null ? "" : " and (w.created_at, w.webhook_id) " + (page.ascending() ? ">" : "<")
                        + " (:time, :id)")
                + " order by w.created_at " + order + ", w.webhook_id " + order + " limit :limit";
        return tx.sql(view, sql).bind("limit", page.fetch())
                .bind("time", after == null ? null : after.instant(0))
                .bind("id", after == null ? null : after.text(1)).list(this::read);
    }

    /** How many webhooks that very owner has. */
    static int count(Tx tx, View view, Webhook.Owner owner) {
        return tx.sql(view, "select count(*) as n from webhook w where {w}"
                + " and w.pod_id is not distinct from :pod::uuid and w.inbox_id is not distinct from :inbox::uuid")
                .bind("pod", owner.pod()).bind("inbox", owner.inbox()).one(row -> row.integer("n"));
    }

    /**
     * Writes a new webhook.
     *
     * @param inboxes the keys of its target inboxes
     */
    void insert(Tx tx, View view, Webhook webhook, List<UUID> inboxes, CustomHeaders headers) {
        byte[] stored = headers.stored();
        tx.sql(view, """
                insert into webhook (organization_id, webhook_id, pod_id, inbox_id, url, secret, headers, enabled,
                                     event_types, pod_ids, inbox_ids, client_id, created_at, updated_at)
                values ({organization}, :id, :pod, :inbox, :url, :secret, :headers, :enabled, :types, :pods, :inboxes,
                        :client, :now, :now)""")
                .bind("id", webhook.id()).bind("pod", webhook.owner().pod()).bind("inbox", webhook.owner().inbox())
                .bind("url", webhook.url())
                .bind("secret", vault.seal(SECRET, webhook.secret().getBytes(StandardCharsets.UTF_8)))
                .bind("headers", stored == null ? null : vault.seal(HEADERS, stored))
                .bind("enabled", webhook.enabled())
                .bind("types", webhook.eventTypes().stream().map(EventType::wire).toList())
                .bind("pods", idsOrNull(webhook.targets().pods())).bind("inboxes", idsOrNull(inboxes))
                .bind("client", webhook.clientId()).bind("now", webhook.createdAt()).run();
    }

    static boolean delete(Tx tx, View view, String id) {
        return tx.sql(view, "delete from webhook w where {w} and w.webhook_id = :id").bind("id", id).run() == 1;
    }

    /** Deletes every webhook of the organization and tells which. */
    static List<String> deleteAll(Tx tx, View all) {
        return tx.sql(all, "delete from webhook w where {w} returning w.webhook_id")
                .list(row -> row.text("webhook_id"));
    }

    /** Deletes the webhooks that an inbox owns and tells which. */
    static List<String> deleteOwned(Tx tx, View all, UUID inbox) {
        return tx.sql(all, "delete from webhook w where {w} and w.inbox_id = :inbox returning w.webhook_id")
                .bind("inbox", inbox).list(row -> row.text("webhook_id"));
    }

    /**
     * Drops an inbox from the lists of webhooks that others own. One whose last target it was is disabled, and its list
     * stays, empty: without one it would listen to the whole organization (contract: events.md §1.2).
     *
     * @return those that were disabled
     */
    static List<String> dropTarget(Tx tx, View all, UUID inbox) {
        return tx.sql(all, """
                update webhook w
                set inbox_ids = array_remove(w.inbox_ids, :inbox),
                    enabled = w.enabled and (w.pod_ids is not null or w.inbox_ids <> array[:inbox]), updated_at = {now}
                where {w} and :inbox = any (w.inbox_ids)
                returning w.webhook_id, w.enabled""")
                .bind("inbox", inbox)
                .list(row -> row.flag("enabled") ? "" : row.text("webhook_id"))
                .stream().filter(id -> !id.isEmpty()).toList();
    }

    /** Deletes the webhooks that a pod owns and tells which. */
    static List<String> deleteOwnedByPod(Tx tx, View all, UUID pod) {
        return tx.sql(all, "delete from webhook w where {w} and w.pod_id = :pod returning w.webhook_id")
                .bind("pod", pod).list(row -> row.text("webhook_id"));
    }

    /** Drops a pod from the lists of webhooks that others own, as {@link #dropTarget} does an inbox. */
    static List<String> dropPod(Tx tx, View all, UUID pod) {
        return tx.sql(all, """
                update webhook w
                set pod_ids = array_remove(w.pod_ids, :pod),
                    enabled = w.enabled and (w.inbox_ids is not null or w.pod_ids <> array[:pod]), updated_at = {now}
                where {w} and :pod = any (w.pod_ids)
                returning w.webhook_id, w.enabled""")
                .bind("pod", pod).list(row -> row.flag("enabled") ? "" : row.text("webhook_id"))
                .stream().filter(id -> !id.isEmpty()).toList();
    }

    /** Where a webhook that is enabled wants its deliveries. */
    Optional<Endpoint.Stored> endpoint(Tx tx, View all, String id) {
        return tx.sql(all, "select w.pod_id, w.inbox_id, w.url, w.secret, w.headers from webhook w"
                + " where {w} and w.webhook_id = :id and w.enabled").bind("id", id).first(row -> {
                    byte[] headers = row.bytesOrNull("headers");
                    return new Endpoint.Stored(
                            new Webhook.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), null),
                            row.text("url"), secret(row),
                            headers == null ? List.of() : CustomHeaders.fields(vault.open(HEADERS, headers)));
                });
    }

    private static UUID @Nullable [] idsOrNull(List<UUID> ids) {
        return ids.isEmpty() ? null : ids.toArray(UUID[]::new);
    }

    private String secret(Row row) {
        return new String(vault.open(SECRET, row.bytes("secret")), StandardCharsets.UTF_8);
    }

    private Webhook read(Row row) {
        return new Webhook(row.text("webhook_id"),
                new Webhook.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), row.textOrNull("inbox_name")),
                row.text("url"), secret(row), row.flag("enabled"),
                row.texts("event_types").stream().map(EventType::ofWire).map(Objects::requireNonNull).toList(),
                new Webhook.Targets(row.uuids("pod_ids"), row.texts("inbox_names")), row.textOrNull("client_id"),
                row.instant("created_at"), row.instant("updated_at"));
    }
}
