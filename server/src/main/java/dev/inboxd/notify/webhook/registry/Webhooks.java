package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.event.EventTypes;
import dev.inboxd.notify.delivery.DeliveryCancellation;
import dev.inboxd.notify.webhook.NewWebhook;
import dev.inboxd.notify.webhook.Subscription;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.notify.webhook.WebhookSql;
import dev.inboxd.notify.webhook.WebhookUrl;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Operations on webhooks: create, get, list, delete. Each operation is one transaction. */
public final class Webhooks implements Inboxes.DeletionHook {
    /** Default limit of webhooks of one owner (events.md §1.3). */
    public static final int USUAL_LIMIT = 50;

    private final Database database;
    private final WebhookSql sql;
    private final DeliveryCancellation cancellation;
    private final int most;

    /**
     * The webhooks of a database.
     *
     * @param most limit of webhooks of one owner
     */
    public Webhooks(Database database, Vault vault, DeliveryCancellation cancellation, int most) {
        this.database = database;
        this.sql = new WebhookSql(vault);
        this.cancellation = cancellation;
        this.most = most;
        cancellation.register(database);
    }

    /**
     * Creates a webhook for the owner that the view names. A second request with the same client_id returns the first
     * webhook (ruling 18).
     *
     * @throws Problem {@code missing_permission}, {@code limit_exceeded}, {@code not_found} for a pod or an inbox,
     *     {@code idempotency_conflict}, {@code forbidden} for a key whose mail needs approval
     */
    public Outcome<Webhook> create(Caller caller, View view, NewWebhook newWebhook) {
        requireFree(caller);
        EventTypes.require(caller, newWebhook.eventTypes());
        return database.write(view.organization(), tx -> {
            View all = View.of(view.organization());
            Webhook.Owner owner = owner(tx, view);
            if (newWebhook.clientId() != null) {
                Optional<Webhook> before = sql.findByClientId(tx, all, newWebhook.clientId());
                if (before.isPresent()) {
                    return Outcome.same(repeated(before.get(), owner, newWebhook));
                }
            }
            TargetRows targets = targets(tx, view, owner, newWebhook.targets());
            if (WebhookSql.count(tx, all, owner, false) >= most) {
                throw Problem.limit(
                        "webhooks",
                        most,
                        "There are " + most + " webhooks already",
                        "Delete one that is no longer needed.");
            }
            Instant now = tx.next().at();
            Webhook webhook = new Webhook(
                    Webhook.newId(),
                    owner,
                    newWebhook.url(),
                    WebhookSignature.newSecret(),
                    true,
                    newWebhook.eventTypes(),
                    targets.targets(),
                    newWebhook.clientId(),
                    now,
                    now);
            sql.insert(tx, all, webhook, targets.inboxIds(), newWebhook.headers());
            return Outcome.changed(webhook);
        });
    }

    /**
     * Rejects a key whose mail needs approval: what it writes into a URL or a header would leave unseen, and so would
     * the mail that the events have.
     */
    static void requireFree(Caller caller) {
        if (caller.needsApproval()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A key whose mail needs approval says neither where a webhook posts to nor its headers",
                    "Do it with another key, or in the console. Events are there in a polling webhook and over a"
                            + " WebSocket, too.");
        }
    }

    /**
     * A client_id that another owner has used is an error without details: the caller may not be allowed to see that
     * webhook.
     */
    private static Webhook repeated(Webhook before, Webhook.Owner owner, NewWebhook newWebhook) {
        if (WebhookUrl.normal(before.url()).equals(newWebhook.url())
                && before.owner().equals(owner)) {
            return before;
        }
        throw Problem.of(
                ErrorCode.IDEMPOTENCY_CONFLICT,
                "The client_id " + newWebhook.clientId() + " belongs to a webhook with another url or owner");
    }

    /** The owner that the route or the key names. */
    public static Webhook.Owner owner(Tx tx, View view) {
        if (view.inbox() == null) {
            return new Webhook.Owner(view.pod(), null, null);
        }
        Inbox inbox = Inboxes.find(tx, view, view.inbox()).orElseThrow(() -> Problem.notFound("Inbox"));
        return new Webhook.Owner(inbox.pod(), inbox.id(), inbox.address());
    }

    /** The pods and inboxes that a webhook subscribes to. */
    public record TargetRows(List<UUID> pods, List<Inbox> inboxes) {
        /** Them as the webhook has them. */
        public Webhook.Targets targets() {
            return new Webhook.Targets(
                    pods, inboxes.stream().map(Inbox::address).toList());
        }

        public List<UUID> inboxIds() {
            return inboxes.stream().map(Inbox::id).toList();
        }
    }

    /**
     * Looks up the pods and inboxes that a new webhook subscribes to (events.md §1.1, the table of subscription lists).
     */
    public static TargetRows targets(Tx tx, View view, Webhook.Owner owner, NewWebhook.RequestedTargets requested) {
        if (requested.podIds().size() + requested.inboxIds().size() > NewWebhook.MOST_TARGETS) {
            throw Subscription.tooManyTargets();
        }
        List<UUID> pods = new ArrayList<>();
        for (String id : requested.podIds()) {
            pods.add(InboxScopeResolver.findPod(tx, view, id).orElseThrow(() -> Problem.notFound("Pod")));
        }
        List<Inbox> inboxes = new ArrayList<>();
        for (String id : requested.inboxIds()) {
            inboxes.add(InboxScopeResolver.find(tx, view, id).orElseThrow(() -> Problem.notFound("Inbox")));
        }
        if (owner.inbox() != null) {
            inboxes.add(Inboxes.find(tx, view, owner.inbox()).orElseThrow(() -> Problem.notFound("Inbox")));
        } else if (owner.pod() != null && inboxes.isEmpty()) {
            pods.add(Objects.requireNonNull(owner.pod()));
        }
        return new TargetRows(pods, inboxes);
    }

    /**
     * One webhook, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    public Webhook get(View view, String id) {
        return database.read(tx -> sql.find(tx, view, id)).orElseThrow(() -> Problem.notFound("Webhook"));
    }

    /** A page of the webhooks that the view shows. */
    public Slice<Webhook> list(View view, PageRequest page) {
        return database.read(
                tx -> page.slice(sql.list(tx, view, page), webhook -> Cursor.of(webhook.createdAt(), webhook.id())));
    }

    /**
     * Deletes a webhook and cancels its waiting deliveries.
     *
     * @throws Problem {@code not_found}
     */
    public void delete(View view, String id) {
        database.run(view.organization(), tx -> {
            if (!WebhookSql.delete(tx, view, id)) {
                throw Problem.notFound("Webhook");
            }
            cancellation.cancel(tx, view.organization(), id);
        });
    }

    /** An inbox is deleted: deletes the webhooks it owns and removes it from the lists of other webhooks. */
    @Override
    public void deleted(Tx tx, UUID organization, UUID inbox) {
        View all = View.of(organization);
        WebhookSql.deleteOwnedByInbox(tx, all, inbox).forEach(id -> cancellation.cancel(tx, organization, id));
        WebhookSql.dropTarget(tx, all, inbox).forEach(id -> cancellation.cancel(tx, organization, id));
    }

    /**
     * A pod is deleted: deletes the webhooks that it and its inboxes own and removes it from the lists of other
     * webhooks.
     */
    public void podDeleted(Tx tx, UUID organization, UUID pod) {
        View all = View.of(organization);
        WebhookSql.deleteOwnedByPod(tx, all, pod).forEach(id -> cancellation.cancel(tx, organization, id));
        WebhookSql.dropTarget(tx, all, pod).forEach(id -> cancellation.cancel(tx, organization, id));
    }

    /** An organization was claimed anew before it was verified: deletes all webhooks of the former holder. */
    public void rotated(Tx tx, UUID organization) {
        WebhookSql.deleteAll(tx, View.of(organization)).forEach(id -> cancellation.cancel(tx, organization, id));
    }
}
