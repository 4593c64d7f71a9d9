package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.event.EventId;
import dev.inboxd.notify.delivery.AttemptResult;
import dev.inboxd.notify.delivery.DeliveryDispatcher;
import dev.inboxd.notify.delivery.RetrySchedule;
import dev.inboxd.notify.webhook.DeliveryId;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSql;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The delivery log of a webhook, kept for {@link RetrySchedule#RETENTION}, and redelivery by hand. */
public final class DeliveryLog {
    private final Database database;
    private final WebhookSql webhooks;
    private final DeliveryDispatcher deliveries;

    /** The delivery log of a database. */
    public DeliveryLog(Database database, Vault vault, DeliveryDispatcher deliveries) {
        this.database = database;
        this.webhooks = new WebhookSql(vault);
        this.deliveries = deliveries;
    }

    /** An attempt as the log shows it; the members are those of {@link AttemptResult}. */
    record Attempt(
            int number,
            Instant at,
            @Nullable Integer status,
            @Nullable String error,
            int millis,
            @Nullable String answer) {
        static Attempt read(Row row) {
            return new Attempt(
                    row.integer("attempt"),
                    row.instant("at"),
                    status(row),
                    row.textOrNull("error"),
                    row.integer("millis"),
                    row.textOrNull("answer"));
        }

        private static @Nullable Integer status(Row row) {
            int status = row.integer("status");
            return status == 0 ? null : status;
        }

        public JsonObject json() {
            return JsonObject.of("attempt", number)
                    .with("at", at)
                    .with("status", status)
                    .with("latency_ms", millis)
                    .with("error", error)
                    .with("answer", answer);
        }
    }

    /**
     * A delivery as the log shows it.
     *
     * @param due when the next attempt is due, or null
     * @param givenUp whether the last attempt of the schedule has failed
     */
    public record Entry(
            String id,
            String eventId,
            String type,
            Instant at,
            @Nullable Instant due,
            boolean givenUp,
            List<Attempt> attempts) {
        public Entry {
            attempts = List.copyOf(attempts);
        }

        /**
         * The status on the wire: pending, delivered (the endpoint answered 2xx), failed (after the last attempt), or
         * cancelled.
         */
        String status() {
            if (due != null) {
                return "pending";
            }
            boolean isDelivered = !attempts.isEmpty() && attempts.getLast().error == null;
            return givenUp ? "failed" : isDelivered ? "delivered" : "cancelled";
        }

        public JsonObject json() {
            return JsonObject.of("svix_id", id)
                    .with("event_id", eventId)
                    .with("event_type", type)
                    .with("status", status())
                    .with("attempt_count", attempts.size())
                    .with("next_attempt_at", due)
                    .with("created_at", at)
                    .with("attempts", attempts.stream().map(Attempt::json).toList());
        }
    }

    /**
     * A page of a webhook's deliveries, in the order of their events.
     *
     * @throws Problem {@code not_found}
     */
    public Slice<Entry> list(View view, String id, PageRequest page) {
        return database.read(tx -> {
            Webhook webhook = webhooks.find(tx, view, id).orElseThrow(() -> Problem.notFound("Webhook"));
            Cursor after = page.after();
            Slice<Long> seqs = page.slice(
                    DeliveryLogSql.events(
                            tx, View.of(view.organization()), id, after == null ? null : after.number(0), page),
                    Cursor::of);
            Map<Long, Long> attempts = DeliveryLogSql.attemptCounts(tx, View.of(view.organization()), id, seqs.items());
            List<Long> fits = WeighedPage.fitting(
                    seqs.items(), seq -> attempts.getOrDefault(seq, 0L), DeliveryLogSql.MOST_ATTEMPTS);
            return new Slice<>(
                    entries(tx, view.organization(), webhook, fits),
                    fits.size() < seqs.items().size() ? Cursor.of(fits.getLast()) : seqs.next());
        });
    }

    /**
     * Delivers an event of the log once more, at once, with the same ids.
     *
     * @param delivery the {@code svix-id}, or the event's id
     * @throws Problem {@code not_found}, also when the message of the event was deleted; {@code conflict} for a
     *     disabled webhook
     */
    public Entry redeliver(View view, String id, String delivery) {
        UUID organization = view.organization();
        return database.write(organization, tx -> {
            Webhook webhook = webhooks.find(tx, view, id).orElseThrow(() -> Problem.notFound("Delivery"));
            Long seq = DeliveryId.event(organization, webhook.owner().within(organization), delivery);
            if (seq == null || !DeliveryLogSql.isThere(tx, View.of(organization), id, seq)) {
                throw Problem.notFound("Delivery");
            }
            EventReplay.requireEnabled(webhook);
            DeliveryLogSql.redeliver(
                    tx, View.of(organization), id, seq, tx.next().at());
            tx.afterCommit(() -> deliveries.wakeForDue(view.organization()));
            return entries(tx, organization, webhook, List.of(seq)).getFirst();
        });
    }

    private static List<Entry> entries(Tx tx, UUID organization, Webhook webhook, List<Long> seqs) {
        View all = View.of(organization);
        Map<Long, List<Attempt>> attempts = new HashMap<>();
        DeliveryLogSql.attempts(tx, all, webhook.id(), seqs)
                .forEach(logged -> attempts.computeIfAbsent(logged.seq(), _ -> new ArrayList<>())
                        .add(logged.attempt()));
        Map<Long, DeliveryLogSql.State> states = new HashMap<>();
        DeliveryLogSql.states(tx, all, webhook.id(), seqs).forEach(state -> states.put(state.seq(), state));
        List<Entry> entries = new ArrayList<>();
        for (Long seq : seqs) {
            DeliveryLogSql.State state = states.get(seq);
            if (state != null) {
                String eventId = EventId.of(organization, new Tx.Stamp(seq, state.at()));
                entries.add(new Entry(
                        DeliveryId.of(eventId, webhook.owner().within(organization)),
                        eventId,
                        state.type(),
                        state.at(),
                        state.due(),
                        state.givenUp(),
                        attempts.getOrDefault(seq, List.of())));
            }
        }
        return entries;
    }
}
