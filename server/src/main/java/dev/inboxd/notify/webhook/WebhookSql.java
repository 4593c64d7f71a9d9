package dev.inboxd.notify.webhook;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.event.EventType;
import dev.inboxd.tenant.organization.EverythingStop;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on webhooks. Secrets and header fields are sealed in their rows. */
public final class WebhookSql {
    public static final String SECRET = "webhook secret";
    static final String HEADERS = "webhook headers";

    private static final String SELECT = """
            select w.webhook_id, w.pod_id, w.inbox_id, w.url, w.secret, w.enabled, w.event_types, w.pod_ids,
                   w.client_id, w.created_at, w.updated_at,
                   (select i.address from inbox i
                    where i.organization_id = {organization} and i.inbox_id = w.inbox_id) as inbox_name,
                   array(select i.address from unnest(w.inbox_ids) with ordinality as l (id, position)
                         join inbox i on i.organization_id = {organization} and i.inbox_id = l.id
                         order by l.position) as inbox_names
            from webhook w where {w} and not w.polling""";
    private static final KeysetList LIST = KeysetList.byTimeAndName("w.created_at", "w.webhook_id");

    private final Vault vault;
    private final WebhookSecretSql secrets;

    public WebhookSql(Vault vault) {
        this.vault = vault;
        this.secrets = new WebhookSecretSql(vault);
    }

    public Optional<Webhook> find(Tx tx, View view, String id) {
        return tx.sql(view, SELECT + " and w.webhook_id = :id").bind("id", id).first(this::read);
    }

    public Optional<Webhook> findByClientId(Tx tx, View view, String clientId) {
        return tx.sql(view, SELECT + " and w.client_id = :client")
                .bind("client", clientId)
                .first(this::read);
    }

    public List<Webhook> list(Tx tx, View view, PageRequest page) {
        return LIST.page(tx, view, SELECT, page).list(this::read);
    }

    /**
     * Stored members of a webhook that no answer shows.
     *
     * @param inboxes the internal ids of the inboxes it subscribes to
     * @param disabledAt when it was last disabled
     * @param targetsDeleted whether all pods and inboxes it subscribed to were deleted
     */
    public record InternalFields(
            List<UUID> inboxes,
            CustomHeaders headers,
            @Nullable Instant disabledAt,
            boolean targetsDeleted) {
        public InternalFields {
            inboxes = List.copyOf(inboxes);
        }
    }

    public InternalFields inner(Tx tx, View view, String id) {
        return tx.sql(view, """
                select w.headers, w.disabled_at, coalesce(cardinality(w.pod_ids || w.inbox_ids) = 0, false) as deserted,
                       array(select i.inbox_id from unnest(w.inbox_ids) with ordinality as l (id, position)
                             join inbox i on i.organization_id = {organization} and i.inbox_id = l.id
                             order by l.position) as inboxes
                from webhook w where {w} and w.webhook_id = :id""")
                .bind("id", id)
                .single(row -> new InternalFields(
                        row.uuids("inboxes"), headers(row), row.instantOrNull("disabled_at"), row.flag("deserted")));
    }

    /**
     * Writes an update. Enabling clears the failing state; disabling stores the time.
     *
     * @param inboxes the internal ids of its inboxes; null leaves its pods and inboxes unchanged
     */
    public static void update(Tx tx, View view, Webhook after, @Nullable List<UUID> inboxes) {
        tx.sql(view, """
                update webhook w
                set event_types = :types, updated_at = :now,
                    pod_ids = case when :kept then w.pod_ids else :pods end,
                    inbox_ids = case when :kept then w.inbox_ids else :inboxes end,
                    failing_since = case when w.enabled = :enabled then w.failing_since end,
                    disabled_at = case when w.enabled and not :enabled then :now::timestamptz else w.disabled_at end,
                    enabled = :enabled
                where {w} and w.webhook_id = :id""")
                .bind("id", after.id())
                .bind(
                        "types",
                        after.eventTypes().stream().map(EventType::wireName).toList())
                .bind("kept", inboxes == null)
                .bind("pods", idsOrNull(after.targets().pods()))
                .bind("inboxes", inboxes == null ? null : idsOrNull(inboxes))
                .bind("enabled", after.enabled())
                .bind("now", after.updatedAt())
                .run();
    }

    /** Replaces the header fields. */
    public void headers(Tx tx, View view, String id, CustomHeaders headers, Instant now) {
        byte[] stored = headers.stored();
        tx.sql(view, "update webhook w set headers = :headers, updated_at = :now where {w} and w.webhook_id = :id")
                .bind("id", id)
                .bind("headers", stored == null ? null : vault.seal(HEADERS, stored))
                .bind("now", now)
                .run();
    }

    /** The number of webhooks that this owner itself has. */
    public static int count(Tx tx, View view, Webhook.Owner owner, boolean polling) {
        return tx.sql(
                        view,
                        "select count(*) as n from webhook w where {w} and w.polling = :polling"
                                + " and w.pod_id is not distinct from :pod::uuid"
                                + " and w.inbox_id is not distinct from :inbox::uuid")
                .bind("polling", polling)
                .bind("pod", owner.pod())
                .bind("inbox", owner.inbox())
                .single(row -> row.integer("n"));
    }

    /**
     * Inserts a webhook.
     *
     * @param inboxes the internal ids of its inboxes
     */
    public void insert(Tx tx, View view, Webhook webhook, List<UUID> inboxes, CustomHeaders headers) {
        byte[] stored = headers.stored();
        tx.sql(view, """
                insert into webhook (organization_id, webhook_id, pod_id, inbox_id, url, secret, headers, enabled,
                                     event_types, pod_ids, inbox_ids, client_id, created_at, updated_at)
                values ({organization}, :id, :pod, :inbox, :url, :secret, :headers, :enabled, :types, :pods, :inboxes,
                        :client, :now, :now)""")
                .bind("id", webhook.id())
                .bind("pod", webhook.owner().pod())
                .bind("inbox", webhook.owner().inbox())
                .bind("url", webhook.url())
                .bind("secret", vault.seal(SECRET, webhook.secret().getBytes(StandardCharsets.UTF_8)))
                .bind("headers", stored == null ? null : vault.seal(HEADERS, stored))
                .bind("enabled", webhook.enabled())
                .bind(
                        "types",
                        webhook.eventTypes().stream().map(EventType::wireName).toList())
                .bind("pods", idsOrNull(webhook.targets().pods()))
                .bind("inboxes", idsOrNull(inboxes))
                .bind("client", webhook.clientId())
                .bind("now", webhook.createdAt())
                .run();
    }

    public static boolean delete(Tx tx, View view, String id) {
        return tx.sql(view, "delete from webhook w where {w} and w.webhook_id = :id")
                        .bind("id", id)
                        .run()
                == 1;
    }

    /** Deletes every webhook of the organization and returns their ids. */
    public static List<String> deleteAll(Tx tx, View all) {
        return tx.sql(all, "delete from webhook w where {w} returning w.webhook_id")
                .list(row -> row.text("webhook_id"));
    }

    /** Deletes the webhooks that an inbox owns and returns their ids. */
    public static List<String> deleteOwnedByInbox(Tx tx, View all, UUID inbox) {
        return tx.sql(all, "delete from webhook w where {w} and w.inbox_id = :inbox returning w.webhook_id")
                .bind("inbox", inbox)
                .list(row -> row.text("webhook_id"));
    }

    /** Deletes the webhooks that a pod or one of its inboxes owns and returns their ids. */
    public static List<String> deleteOwnedByPod(Tx tx, View all, UUID pod) {
        return tx.sql(all, "delete from webhook w where {w} and w.pod_id = :pod returning w.webhook_id")
                .bind("pod", pod)
                .list(row -> row.text("webhook_id"));
    }

    /**
     * Removes a pod or an inbox from the lists of webhooks that other owners have. A webhook whose last pod or inbox it
     * was is disabled, and its list stays, empty: without a list it would subscribe to the whole organization
     * (events.md §1.2).
     *
     * @return the ids of the webhooks that were disabled
     */
    public static List<String> dropTarget(Tx tx, View all, UUID target) {
        return tx
                .sql(all, """
                update webhook w
                set pod_ids = array_remove(w.pod_ids, :target), inbox_ids = array_remove(w.inbox_ids, :target),
                    enabled = w.enabled and cardinality(array_remove(w.pod_ids || w.inbox_ids, :target)) > 0,
                    disabled_at = case when w.enabled
                        and cardinality(array_remove(w.pod_ids || w.inbox_ids, :target)) = 0
                        then (select k.last_at from organization_clock k where k.organization_id = {organization})
                        else w.disabled_at end,
                    updated_at = {now}
                where {w} and (:target = any (w.pod_ids) or :target = any (w.inbox_ids))
                returning w.webhook_id, w.enabled""")
                .bind("target", target)
                .list(row -> row.flag("enabled") ? "" : row.text("webhook_id"))
                .stream()
                .filter(id -> !id.isEmpty())
                .toList();
    }

    /** The endpoint of a webhook. A disabled webhook has none, unless {@code disabledToo} is set. */
    public Optional<Endpoint.EndpointRow> endpoint(Tx tx, View all, String id, boolean disabledToo) {
        return tx.sql(all, """
                select w.pod_id, w.inbox_id, w.url, w.secret, w.headers, w.former_secret, w.former_until,
                       w.former_secrets, {now} as signed_at
                from webhook w where {w} and w.webhook_id = :id and (w.enabled or :any) and not w.polling
                and""" + EverythingStop.NONE)
                .bind("id", id)
                .bind("any", disabledToo)
                .first(row -> new Endpoint.EndpointRow(
                        new Webhook.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), null),
                        row.text("url"),
                        secrets.of(row, row.instant("signed_at")).all(),
                        headers(row).sent()));
    }

    private CustomHeaders headers(Row row) {
        byte[] sealed = row.bytesOrNull("headers");
        return CustomHeaders.of(sealed == null ? null : vault.open(HEADERS, sealed));
    }

    public static UUID @Nullable [] idsOrNull(List<UUID> ids) {
        return ids.isEmpty() ? null : ids.toArray(UUID[]::new);
    }

    private String secret(Row row) {
        return secrets.opened(row.bytes("secret"));
    }

    private Webhook read(Row row) {
        return new Webhook(
                row.text("webhook_id"),
                new Webhook.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), row.textOrNull("inbox_name")),
                row.text("url"),
                secret(row),
                row.flag("enabled"),
                row.texts("event_types").stream()
                        .map(EventType::ofWire)
                        .map(Objects::requireNonNull)
                        .toList(),
                new Webhook.Targets(row.uuids("pod_ids"), row.texts("inbox_names")),
                row.textOrNull("client_id"),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
