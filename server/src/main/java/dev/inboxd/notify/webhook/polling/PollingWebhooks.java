package dev.inboxd.notify.webhook.polling;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.event.EventType;
import dev.inboxd.event.EventTypes;
import dev.inboxd.notify.delivery.DeliveryCancellation;
import dev.inboxd.notify.webhook.NewWebhook;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSql;
import dev.inboxd.notify.webhook.registry.Webhooks;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Operations on polling webhooks. A polling webhook belongs to the owner it was created for, and only that owner's
 * route shows it.
 */
public final class PollingWebhooks {
    /** Default limit of polling webhooks of one owner (events.md §6.1). */
    public static final int USUAL_LIMIT = 10;

    private final Database database;
    private final Vault vault;
    private final DeliveryCancellation cancellation;
    private final int most;

    /**
     * The polling webhooks of a database.
     *
     * @param most limit of polling webhooks of one owner
     */
    public PollingWebhooks(Database database, Vault vault, DeliveryCancellation cancellation, int most) {
        this.database = database;
        this.vault = vault;
        this.cancellation = cancellation;
        this.most = most;
    }

    /** A request to create a polling webhook. */
    record NewPollingWebhook(String clientId, List<EventType> eventTypes, NewWebhook.RequestedTargets targets) {
        NewPollingWebhook {
            eventTypes = List.copyOf(eventTypes);
        }
    }

    /** A polling webhook and its token; a webhook that was there has another one now. */
    record IssuedWebhook(PollingWebhook webhook, PollingWebhook.Token token, boolean isNew) {}

    /**
     * Creates a polling webhook for the owner that the view names. A second request with the same client_id gives the
     * existing one a new token, and the old token becomes invalid.
     *
     * @throws Problem {@code missing_permission}, {@code limit_exceeded}, {@code not_found} for a pod or an inbox,
     *     {@code idempotency_conflict} when the client_id is used by another owner
     */
    IssuedWebhook create(Caller caller, View view, NewPollingWebhook newWebhook) {
        EventTypes.require(caller, newWebhook.eventTypes);
        PollingWebhook.Token token = PollingWebhook.Token.random();
        PollingSql.StoredToken key = new PollingSql.StoredToken(
                Digests.sha256(token.bearer()),
                vault.seal(WebhookSql.SECRET, token.signing().getBytes(StandardCharsets.UTF_8)));
        return database.write(view.organization(), tx -> {
            View all = View.of(view.organization());
            Webhook.Owner owner = Webhooks.owner(tx, view);
            Optional<PollingWebhook> before = PollingSql.findByClientId(tx, all, newWebhook.clientId);
            if (before.isPresent()) {
                PollingWebhook existing = before.get();
                if (!existing.owner().equals(owner)) {
                    throw Problem.of(
                            ErrorCode.IDEMPOTENCY_CONFLICT,
                            "The client_id " + newWebhook.clientId + " belongs to a polling webhook of another owner");
                }
                // The token can fetch all events that the webhook subscribes to.
                EventTypes.require(caller, existing.eventTypes());
                PollingSql.rekey(tx, all, existing.id(), key);
                return new IssuedWebhook(existing, token, false);
            }
            return new IssuedWebhook(inserted(tx, view, owner, newWebhook, key), token, true);
        });
    }

    private PollingWebhook inserted(
            Tx tx, View view, Webhook.Owner owner, NewPollingWebhook newWebhook, PollingSql.StoredToken key) {
        View all = View.of(view.organization());
        Webhooks.TargetRows targets = Webhooks.targets(tx, view, owner, newWebhook.targets);
        if (WebhookSql.count(tx, all, owner, true) >= most) {
            throw Problem.limit(
                    "polling_webhooks",
                    most,
                    "There are " + most + " polling webhooks already",
                    "Delete one that is no longer needed.");
        }
        Instant now = tx.next().at();
        PollingWebhook webhook = new PollingWebhook(
                Webhook.newId(), owner, newWebhook.clientId, newWebhook.eventTypes, targets.targets(), now, now);
        PollingSql.insert(tx, all, webhook, targets.inboxIds(), key);
        return webhook;
    }

    /**
     * A polling webhook of the view's owner, by its id or its client_id.
     *
     * @throws Problem {@code not_found}
     */
    PollingWebhook get(View view, String id) {
        return database.read(tx -> findOrThrow(tx, view, id));
    }

    /** A page of the polling webhooks of the view's owner. */
    Slice<PollingWebhook> list(View view, PageRequest page) {
        return database.read(tx -> page.slice(
                PollingSql.list(tx, View.of(view.organization()), Webhooks.owner(tx, view), page),
                webhook -> Cursor.of(webhook.createdAt(), webhook.id())));
    }

    /**
     * Deletes a polling webhook with its token and its queue.
     *
     * @return its id
     * @throws Problem {@code not_found}
     */
    String delete(View view, String id) {
        return database.write(view.organization(), tx -> {
            String webhookId = findOrThrow(tx, view, id).id();
            WebhookSql.delete(tx, View.of(view.organization()), webhookId);
            cancellation.cancel(tx, view.organization(), webhookId);
            return webhookId;
        });
    }

    private static PollingWebhook findOrThrow(Tx tx, View view, String id) {
        return PollingSql.find(tx, View.of(view.organization()), Webhooks.owner(tx, view), id)
                .orElseThrow(() -> Problem.notFound("Webhook"));
    }
}
