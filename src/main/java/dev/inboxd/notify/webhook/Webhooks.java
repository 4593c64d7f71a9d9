package dev.inboxd.notify.webhook;

import dev.inboxd.event.EventTypes;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.job.Jobs;
import dev.inboxd.platform.page.Cursor;
import dev.inboxd.platform.page.PageRequest;
import dev.inboxd.platform.page.Slice;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be done with webhooks. One verb, one transaction. */
public final class Webhooks implements Inboxes.DeletionHook {
    /** How many webhooks one owner has where limits are enforced (events.md §1.3). */
    public static final int USUAL_LIMIT = 50;

    /** The job that removes the deliveries a webhook no longer wants. */
    private static final String CANCEL = "webhook.cancel";

    private final Database database;
    private final WebhookSql sql;
    private final Cancellation cancelling;
    private final int most;

    /**
     * How the deliveries of a webhook are called off.
     *
     * @param jobs where the removing of many rows is left
     * @param deliveries told at once
     */
    public record Cancellation(Jobs jobs, DeliveryDispatcher deliveries) {
        /** Calls off, after the commit, what waits for a webhook that is deleted or disabled in this transaction. */
        public void cancel(Tx tx, UUID organization, String id) {
            jobs.add(tx, organization, CANCEL, id);
            tx.afterCommit(() -> deliveries.forget(id));
        }
    }

    /**
     * The webhooks of a database.
     *
     * @param most how many one owner may have
     */
    public Webhooks(Database database, Vault vault, Cancellation cancelling, int most) {
        this.database = database;
        this.sql = new WebhookSql(vault);
        this.cancelling = cancelling;
        this.most = most;
        cancelling.jobs.handle(
                CANCEL,
                (organization, webhook) -> database.write(
                        organization,
                        tx -> DeliverySql.cancel(tx, View.of(organization), webhook)
                                && DeliverySql.forget(tx, View.of(organization), webhook)));
    }

    /**
     * Makes a webhook for the owner that the view names. Repeated with the same client_id, it returns the first one
     * (ruling 18).
     *
     * @throws Problem {@code missing_permission}, {@code limit_exceeded}, {@code not_found} for a pod or an inbox,
     *     {@code idempotency_conflict}
     */
    Webhook create(Caller caller, View view, NewWebhook wanted) {
        EventTypes.require(caller, wanted.eventTypes());
        return database.write(view.organization(), tx -> {
            View all = View.of(view.organization());
            Webhook.Owner owner = owner(tx, view);
            if (wanted.clientId() != null) {
                Optional<Webhook> before = sql.findByClientId(tx, all, wanted.clientId());
                if (before.isPresent()) {
                    return repeated(before.get(), owner, wanted);
                }
            }
            List<UUID> pods = new ArrayList<>();
            List<Inbox> inboxes = new ArrayList<>();
            targets(tx, view, owner, wanted.targets(), pods, inboxes);
            if (WebhookSql.count(tx, all, owner, false) >= most) {
                throw Problem.of(
                        ErrorCode.LIMIT_EXCEEDED,
                        "There are " + most + " webhooks already",
                        "Delete one that is no longer needed.");
            }
            Instant now = tx.next().at();
            Webhook webhook = new Webhook(
                    Webhook.newId(),
                    owner,
                    wanted.url(),
                    WebhookSignature.newSecret(),
                    true,
                    wanted.eventTypes(),
                    new Webhook.Targets(
                            pods, inboxes.stream().map(Inbox::address).toList()),
                    wanted.clientId(),
                    now,
                    now);
            sql.insert(tx, all, webhook, inboxes.stream().map(Inbox::id).toList(), wanted.headers());
            return webhook;
        });
    }

    /** The same client_id at another owner says no more than that: that webhook may not be the caller's to see. */
    private static Webhook repeated(Webhook before, Webhook.Owner owner, NewWebhook wanted) {
        if (before.url().equals(wanted.url()) && before.owner().equals(owner)) {
            return before;
        }
        throw Problem.of(
                ErrorCode.IDEMPOTENCY_CONFLICT,
                "The client_id " + wanted.clientId() + " belongs to a webhook with another url or owner");
    }

    /** The owner that the route or the key names. */
    public static Webhook.Owner owner(Tx tx, View view) {
        if (view.inbox() == null) {
            return new Webhook.Owner(view.pod(), null, null);
        }
        Inbox inbox = Inboxes.find(tx, view, view.inbox()).orElseThrow(() -> Problem.notFound("Inbox"));
        return new Webhook.Owner(inbox.pod(), inbox.id(), inbox.address());
    }

    /** What it listens to (events.md §1.1, the table of subscription lists). */
    public static void targets(
            Tx tx,
            View view,
            Webhook.Owner owner,
            NewWebhook.RequestedTargets wanted,
            List<UUID> pods,
            List<Inbox> inboxes) {
        if (wanted.podIds().size() + wanted.inboxIds().size() > NewWebhook.MOST_TARGETS) {
            throw Subscription.tooManyTargets();
        }
        for (String id : wanted.podIds()) {
            pods.add(InboxScopeResolver.findPod(tx, view, id).orElseThrow(() -> Problem.notFound("Pod")));
        }
        for (String id : wanted.inboxIds()) {
            inboxes.add(InboxScopeResolver.find(tx, view, id).orElseThrow(() -> Problem.notFound("Inbox")));
        }
        if (owner.inbox() != null) {
            inboxes.add(Inboxes.find(tx, view, owner.inbox()).orElseThrow(() -> Problem.notFound("Inbox")));
        } else if (owner.pod() != null && inboxes.isEmpty()) {
            pods.add(Objects.requireNonNull(owner.pod()));
        }
    }

    /**
     * One webhook, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    Webhook get(View view, String id) {
        return database.read(tx -> sql.find(tx, view, id)).orElseThrow(() -> Problem.notFound("Webhook"));
    }

    /** A page of the webhooks that the view shows. */
    Slice<Webhook> list(View view, PageRequest page) {
        return database.read(
                tx -> page.slice(sql.list(tx, view, page), webhook -> Cursor.of(webhook.createdAt(), webhook.id())));
    }

    /**
     * Deletes a webhook; what waits for it is not delivered any more.
     *
     * @throws Problem {@code not_found}
     */
    void delete(View view, String id) {
        database.<@Nullable Void>write(view.organization(), tx -> {
            if (!WebhookSql.delete(tx, view, id)) {
                throw Problem.notFound("Webhook");
            }
            cancelling.cancel(tx, view.organization(), id);
            return null;
        });
    }

    /** An inbox goes: with it the webhooks it owns; others no longer listen to it. */
    @Override
    public void deleted(Tx tx, UUID organization, UUID inbox) {
        View all = View.of(organization);
        WebhookSql.deleteOwnedByInbox(tx, all, inbox).forEach(id -> cancelling.cancel(tx, organization, id));
        WebhookSql.dropTarget(tx, all, inbox).forEach(id -> cancelling.cancel(tx, organization, id));
    }

    /** A pod goes: with it the webhooks that it and its inboxes own; others no longer listen to it. */
    public void podDeleted(Tx tx, UUID organization, UUID pod) {
        View all = View.of(organization);
        WebhookSql.deleteOwnedByPod(tx, all, pod).forEach(id -> cancelling.cancel(tx, organization, id));
        WebhookSql.dropTarget(tx, all, pod).forEach(id -> cancelling.cancel(tx, organization, id));
    }

    /** An organization changed hands before it was verified: what its last holder had set up stops. */
    public void rotated(Tx tx, UUID organization) {
        WebhookSql.deleteAll(tx, View.of(organization)).forEach(id -> cancelling.cancel(tx, organization, id));
    }
}
