package dev.inboxd.notify.webhook.polling;

import dev.inboxd.event.EventType;
import dev.inboxd.event.EventTypes;
import dev.inboxd.notify.webhook.NewWebhook;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSql;
import dev.inboxd.notify.webhook.Webhooks;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Digests;
import dev.inboxd.platform.page.Cursor;
import dev.inboxd.platform.page.PageRequest;
import dev.inboxd.platform.page.Slice;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.tenant.inbox.Inbox;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be done with polling webhooks. Each belongs to the route that it was made through, and is seen only there. */
public final class PollingWebhooks {
    /** How many of them one owner has where limits are enforced (events.md §6.1). */
    public static final int USUAL_LIMIT = 10;

    private final Database database;
    private final Vault vault;
    private final Webhooks.Cancellation cancelling;
    private final int most;

    /**
     * The polling webhooks of a database.
     *
     * @param most how many one owner may have
     */
    public PollingWebhooks(Database database, Vault vault, Webhooks.Cancellation cancelling, int most) {
        this.database = database;
        this.vault = vault;
        this.cancelling = cancelling;
        this.most = most;
    }

    /** What a caller asks of a new one. */
    record NewPollingWebhook(String clientId, List<EventType> eventTypes, NewWebhook.RequestedTargets targets) {
        NewPollingWebhook {
            eventTypes = List.copyOf(eventTypes);
        }
    }

    /** A polling webhook with the token to fetch from it. */
    record IssuedWebhook(PollingWebhook webhook, PollingWebhook.Token token) {}

    /**
     * Makes a polling webhook for the owner that the view names. Repeated with the same client_id, it gives the one
     * that is there a new token, and the token before is worth nothing.
     *
     * @throws Problem {@code missing_permission}, {@code limit_exceeded}, {@code not_found} for a pod or an inbox,
     *     {@code idempotency_conflict} when the client_id belongs to another owner's
     */
    IssuedWebhook create(Caller caller, View view, NewPollingWebhook wanted) {
        EventTypes.require(caller, wanted.eventTypes);
        PollingWebhook.Token token = PollingWebhook.Token.random();
        PollingSql.StoredToken key = new PollingSql.StoredToken(
                Digests.sha256(token.bearer()),
                vault.seal(WebhookSql.SECRET, token.signing().getBytes(StandardCharsets.UTF_8)));
        return database.write(view.organization(), tx -> {
            View all = View.of(view.organization());
            Webhook.Owner owner = Webhooks.owner(tx, view);
            Optional<PollingWebhook> before = PollingSql.findByClientId(tx, all, wanted.clientId);
            if (before.isPresent()) {
                PollingWebhook there = before.get();
                if (!there.owner().equals(owner)) {
                    throw Problem.of(
                            ErrorCode.IDEMPOTENCY_CONFLICT,
                            "The client_id " + wanted.clientId + " belongs to a polling webhook of another owner");
                }
                // A token reads whatever the webhook subscribes to.
                EventTypes.require(caller, there.eventTypes());
                PollingSql.rekey(tx, all, there.id(), key);
                return new IssuedWebhook(there, token);
            }
            return new IssuedWebhook(made(tx, view, owner, wanted, key), token);
        });
    }

    private PollingWebhook made(
            Tx tx, View view, Webhook.Owner owner, NewPollingWebhook wanted, PollingSql.StoredToken key) {
        View all = View.of(view.organization());
        List<UUID> pods = new ArrayList<>();
        List<Inbox> inboxes = new ArrayList<>();
        Webhooks.targets(tx, view, owner, wanted.targets, pods, inboxes);
        if (WebhookSql.count(tx, all, owner, true) >= most) {
            throw Problem.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    "There are " + most + " polling webhooks already",
                    "Delete one that is no longer needed.");
        }
        Instant now = tx.next().at();
        PollingWebhook webhook = new PollingWebhook(
                Webhook.newId(),
                owner,
                wanted.clientId,
                wanted.eventTypes,
                new Webhook.Targets(pods, inboxes.stream().map(Inbox::address).toList()),
                now,
                now);
        PollingSql.insert(tx, all, webhook, inboxes.stream().map(Inbox::id).toList(), key);
        return webhook;
    }

    /**
     * One of the view's own, by its id or its client_id.
     *
     * @throws Problem {@code not_found}
     */
    PollingWebhook get(View view, String id) {
        return database.read(tx -> found(tx, view, id));
    }

    /** A page of the view's own. */
    Slice<PollingWebhook> list(View view, PageRequest page) {
        return database.read(tx -> page.slice(
                PollingSql.list(tx, View.of(view.organization()), Webhooks.owner(tx, view), page),
                webhook -> Cursor.of(webhook.createdAt(), webhook.id())));
    }

    /**
     * Deletes one; its token and its queue are gone.
     *
     * @throws Problem {@code not_found}
     */
    void delete(View view, String id) {
        database.<@Nullable Void>write(view.organization(), tx -> {
            String found = found(tx, view, id).id();
            WebhookSql.delete(tx, View.of(view.organization()), found);
            cancelling.cancel(tx, view.organization(), found);
            return null;
        });
    }

    private static PollingWebhook found(Tx tx, View view, String id) {
        return PollingSql.find(tx, View.of(view.organization()), Webhooks.owner(tx, view), id)
                .orElseThrow(() -> Problem.notFound("Webhook"));
    }
}
