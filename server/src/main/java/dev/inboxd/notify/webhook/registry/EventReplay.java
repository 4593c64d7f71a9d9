package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.event.EventTimes;
import dev.inboxd.event.EventTypes;
import dev.inboxd.notify.delivery.DeliveryDispatcher;
import dev.inboxd.notify.delivery.DeliverySql;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSql;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Replays events of a time range to a webhook: on request, and after a webhook was enabled again with {@code catch_up}.
 * A job replays slice by slice, as every long change does. Events that were delivered before are delivered again with
 * the same ids.
 */
public final class EventReplay {
    private static final String JOB = "webhook.replay";
    private static final int SLICE = 1_000;

    private final Database database;
    private final WebhookSql webhooks;
    private final Jobs jobs;
    private final DeliveryDispatcher deliveries;

    /** Replays of the events in a database. */
    public EventReplay(Database database, Vault vault, Jobs jobs, DeliveryDispatcher deliveries) {
        this.database = database;
        this.webhooks = new WebhookSql(vault);
        this.jobs = jobs;
        this.deliveries = deliveries;
        jobs.handle(JOB, (organization, subject) -> {
            EventRange range = EventRange.parse(subject);
            database.run(organization, tx -> slice(tx, organization, range));
            return true;
        });
    }

    /** The remaining events of a replay by sequence number: {@code after < seq <= last}. */
    private record EventRange(String webhook, long after, long last) {
        static EventRange parse(String subject) {
            List<String> words = List.of(subject.split(" ", -1));
            return new EventRange(words.get(0), Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
        }

        String subject() {
            return webhook + " " + after + " " + last;
        }
    }

    /** The time of some events: {@code start <= t < end}. */
    public record Period(Instant start, Instant end) {}

    /**
     * Replays to an enabled webhook the events of a period that it subscribes to now.
     *
     * @throws Problem {@code not_found}, {@code missing_permission}, {@code conflict} for a disabled webhook
     */
    public void replay(Caller caller, View view, String id, Period period) {
        database.run(view.organization(), tx -> {
            Webhook webhook = webhooks.find(tx, view, id).orElseThrow(() -> Problem.notFound("Webhook"));
            EventTypes.require(caller, webhook.eventTypes());
            requireEnabled(webhook);
            later(tx, view.organization(), id, period);
        });
    }

    static void requireEnabled(Webhook webhook) {
        if (!webhook.enabled()) {
            throw Problem.of(
                    ErrorCode.CONFLICT, "The webhook is disabled", "Enable it first: PATCH with \"enabled\": true.");
        }
    }

    /** Adds a job that replays the events of a period, in the caller's transaction. */
    void later(Tx tx, UUID organization, String webhook, Period period) {
        View all = View.of(organization);
        jobs.add(
                tx,
                organization,
                JOB,
                new EventRange(
                                webhook,
                                EventTimes.lastBefore(tx, all, period.start),
                                EventTimes.lastBefore(tx, all, period.end))
                        .subject());
    }

    /** Inserts the deliveries of one slice of events and adds another job for the rest. */
    private void slice(Tx tx, UUID organization, EventRange range) {
        View all = View.of(organization);
        List<Long> reached = DeliverySql.replay(
                tx,
                all,
                new DeliverySql.ReplaySlice(
                        range.webhook, range.after, range.last, SLICE, tx.next().at()));
        if (reached.size() == SLICE) {
            jobs.add(tx, organization, JOB, new EventRange(range.webhook, reached.getLast(), range.last).subject());
        }
        tx.afterCommit(() -> deliveries.wakeForDue(organization));
    }
}
