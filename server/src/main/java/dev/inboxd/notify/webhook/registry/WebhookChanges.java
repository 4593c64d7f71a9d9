package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.event.EventType;
import dev.inboxd.event.EventTypes;
import dev.inboxd.notify.delivery.DeliveryCancellation;
import dev.inboxd.notify.webhook.CustomHeaders;
import dev.inboxd.notify.webhook.HeaderChange;
import dev.inboxd.notify.webhook.NewWebhook;
import dev.inboxd.notify.webhook.Subscription;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookChange;
import dev.inboxd.notify.webhook.WebhookSecretSql;
import dev.inboxd.notify.webhook.WebhookSecrets;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.notify.webhook.WebhookSql;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Changes of a webhook: its subscription, header fields and secret. */
public final class WebhookChanges {
    private final Database database;
    private final WebhookSql sql;
    private final WebhookSecretSql secrets;
    private final DeliveryCancellation cancellation;
    private final EventReplay replays;

    /** Changes of the webhooks of a database. */
    public WebhookChanges(Database database, Vault vault, DeliveryCancellation cancellation, EventReplay replays) {
        this.database = database;
        this.sql = new WebhookSql(vault);
        this.secrets = new WebhookSecretSql(vault);
        this.cancellation = cancellation;
        this.replays = replays;
    }

    /**
     * Changes the subscription of a webhook and whether it is enabled.
     *
     * @throws Problem {@code not_found}, {@code validation_error} for members this webhook does not have and for a
     *     scoped webhook left without a target, {@code missing_permission}, {@code limit_exceeded}
     */
    public Outcome<Webhook> update(Caller caller, View view, String id, WebhookChange change) {
        return database.write(view.organization(), tx -> {
            Webhook before = sql.find(tx, view, id).orElseThrow(() -> Problem.notFound("Webhook"));
            change.requireFor(before.owner());
            List<EventType> types = Objects.requireNonNullElse(change.eventTypes(), before.eventTypes());
            boolean enabled = Objects.requireNonNullElse(change.enabled(), before.enabled());
            // Enabling again is subscribing again (events.md §1.4).
            if (change.eventTypes() != null || (enabled && !before.enabled())) {
                EventTypes.require(caller, types);
            }
            WebhookSql.InternalFields inner = sql.inner(tx, view, id);
            TargetChange retargeted = change.pods().named() || change.inboxes().named()
                    ? retargeted(tx, view, before, inner, change)
                    : null;
            if (enabled && retargeted == null && inner.targetsDeleted()) {
                // Without lists it would seem to subscribe to everything (events.md §1.2, rule 5).
                throw Problem.invalid(
                        "enabled",
                        "All that this webhook listened to was deleted: add a pod or an inbox"
                                + " to it, or make another");
            }
            Webhook.Targets targets = retargeted == null ? before.targets() : retargeted.targets;
            if (before.changed(types, targets, enabled, before.updatedAt()).equals(before)) {
                return Outcome.same(before);
            }
            Instant now = tx.next().at();
            Webhook after = before.changed(types, targets, enabled, now);
            WebhookSql.update(tx, view, after, retargeted == null ? null : retargeted.inboxes);
            if (before.enabled() && !enabled) {
                cancellation.cancel(tx, view.organization(), id);
            }
            Instant missedSince = inner.disabledAt();
            if (change.catchUp() && !before.enabled() && missedSince != null) {
                replays.later(tx, view.organization(), id, new EventReplay.Period(missedSince, now));
            }
            return Outcome.changed(after);
        });
    }

    /**
     * The pods and inboxes after a change.
     *
     * @param inboxes the internal ids of the inboxes
     */
    private record TargetChange(Webhook.Targets targets, List<UUID> inboxes) {
        TargetChange {
            inboxes = List.copyOf(inboxes);
        }
    }

    private static TargetChange retargeted(
            Tx tx, View view, Webhook before, WebhookSql.InternalFields inner, WebhookChange change) {
        Set<UUID> pods = new LinkedHashSet<>(before.targets().pods());
        change.pods()
                .removed()
                .forEach(id -> InboxScopeResolver.findPod(tx, view, id).ifPresent(pods::remove));
        change.pods()
                .added()
                .forEach(id ->
                        pods.add(InboxScopeResolver.findPod(tx, view, id).orElseThrow(() -> Problem.notFound("Pod"))));
        Map<UUID, String> inboxes = new LinkedHashMap<>();
        for (int i = 0; i < inner.inboxes().size(); i++) {
            inboxes.put(inner.inboxes().get(i), before.targets().inboxes().get(i));
        }
        View reachable = before.owner().pod() == null
                ? view
                : view.pod(Objects.requireNonNull(before.owner().pod()));
        change.inboxes()
                .removed()
                .forEach(id ->
                        InboxScopeResolver.find(tx, reachable, id).ifPresent(inbox -> inboxes.remove(inbox.id())));
        for (String id : change.inboxes().added()) {
            Inbox inbox = InboxScopeResolver.find(tx, reachable, id).orElseThrow(() -> Problem.notFound("Inbox"));
            inboxes.put(inbox.id(), inbox.address());
        }
        if (pods.size() + inboxes.size() > NewWebhook.MOST_TARGETS) {
            throw Subscription.tooManyTargets();
        }
        if (!before.owner().isOrganization() && pods.isEmpty() && inboxes.isEmpty()) {
            throw Problem.invalid("remove_inbox_ids", "A webhook of a pod keeps at least one inbox; delete it instead");
        }
        return new TargetChange(
                new Webhook.Targets(List.copyOf(pods), List.copyOf(inboxes.values())),
                new ArrayList<>(inboxes.keySet()));
    }

    /**
     * The names of the header fields added to every delivery; their values are never shown.
     *
     * @throws Problem {@code not_found}
     */
    public List<String> headerNames(View view, String id) {
        return database.read(tx -> {
            findOrThrow(tx, view, id);
            return List.copyOf(sql.inner(tx, view, id).headers().fields().keySet());
        });
    }

    /**
     * Sets and removes header fields, all of them or none.
     *
     * @throws Problem {@code not_found}, {@code validation_error}, {@code forbidden} for a key whose mail needs
     *     approval
     */
    public void changeHeaders(Caller caller, View view, String id, HeaderChange change) {
        Webhooks.requireFree(caller);
        database.run(view.organization(), tx -> {
            findOrThrow(tx, view, id);
            CustomHeaders after = change.appliedTo(sql.inner(tx, view, id).headers());
            sql.headers(tx, view, id, after, tx.next().at());
            tx.afterCommit(() -> cancellation.deliveries().changed(id));
        });
    }

    /**
     * Replaces the secret of a webhook. The old secret still signs for {@link WebhookSecrets#OVERLAP}.
     *
     * @param key the hash of the Idempotency-Key: the same again gives the same secret; empty for none
     * @throws Problem {@code not_found}, {@code limit_exceeded} when too many secrets would sign
     */
    public Webhook rotate(View view, String id, String key) {
        return database.write(view.organization(), tx -> {
            Webhook webhook = findOrThrow(tx, view, id);
            Instant now = tx.next().at();
            WebhookSecrets before = secrets.find(tx, view, id, now);
            Optional<String> rotatedSecret = before.madeBy(key);
            if (rotatedSecret.isPresent()) {
                return webhook.withSecret(rotatedSecret.get());
            }
            secrets.rotate(tx, view, id, before.rotated(WebhookSignature.newSecret(), key, now), now);
            tx.afterCommit(() -> cancellation.deliveries().changed(id));
            return findOrThrow(tx, view, id);
        });
    }

    private Webhook findOrThrow(Tx tx, View view, String id) {
        return sql.find(tx, view, id).orElseThrow(() -> Problem.notFound("Webhook"));
    }
}
