package dev.inboxd.outbound;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.RelayIds;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.label.change.LabelAddition;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.storage.MessageAliases;
import dev.inboxd.mailbox.thread.WaitingSql;
import dev.inboxd.tenant.list.Lists;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records the results of some items of one organization: their rows, the messages' labels and the events, all in one
 * commit, so that state and events never differ (events.md §4.3, rulings 24 and 25).
 */
final class DeliveryResultBatch implements GroupCommit.Change {
    /** Maximum number of labels that a result adds: delivered, delayed, bounced and rejected. */
    private static final int MOST_LABELS = 4;

    /** Labels by which nobody waits for an answer any more. */
    private static final Set<String> FAILURES = Set.of(Labels.BOUNCED, Labels.REJECTED);

    private final Tx tx;
    private final View view;
    private final DsnReports reports;
    private final List<ItemResult> ended;
    private final EventLog.EventBatch events;
    private final LabelAddition labelling;
    private final Set<UUID> handedOver = new HashSet<>();
    private final List<String> suppressed = new ArrayList<>();
    /** Messages that did not reach somebody, and their threads. */
    private final Map<UUID, UUID> failed = new LinkedHashMap<>();

    private final List<DsnReports.DueReport> due = new ArrayList<>();
    private final List<MessageAliases.MessageAlias> aliases = new ArrayList<>();
    private RoundTrip.Result<DeliveryQueueSql.HeldRecipient> held = RoundTrip.Result.none();

    /** The results for one transaction; all items are of one organization. */
    DeliveryResultBatch(Tx tx, EventLog log, DsnReports reports, List<ItemResult> ended) {
        this.tx = tx;
        this.view = ended.getFirst().item().view();
        this.reports = reports;
        this.ended = ended;
        this.events = log.appending(tx, view);
        this.labelling = new LabelAddition(events);
    }

    /** Sequence numbers for labels, and at most an event for every recipient. */
    @Override
    public ClockReservation claim() {
        return ClockReservation.numbers(2
                + ended.stream()
                        .mapToInt(result -> LabelAddition.numbersNeeded(MOST_LABELS)
                                + 2
                                + 2 * result.outcomes().size())
                        .sum());
    }

    @Override
    public void prefetch(RoundTrip opening) {
        if (ended.stream()
                .flatMap(result -> result.outcomes().values().stream())
                .anyMatch(RecipientOutcome::isOpen)) {
            tx.schedules(); // for the next attempt
        }
        held = DeliveryQueueSql.prefetchHeld(
                opening, view, ended.stream().map(ItemResult::item).toList());
        labelling.prefetch(
                opening,
                ended.stream()
                        .map(result -> result.item().message())
                        .filter(Objects::nonNull)
                        .toList());
    }

    @Override
    public void write(RoundTrip writes) {
        Instant now = tx.next().at();
        Map<UUID, Set<Integer>> ours = new HashMap<>();
        for (DeliveryQueueSql.HeldRecipient row : held.rows()) {
            ours.computeIfAbsent(row.submission(), _ -> new HashSet<>()).add(row.position());
            if (row.handedOver()) {
                handedOver.add(row.submission());
            }
        }
        List<DeliveryQueueSql.RecipientUpdate> settled = new ArrayList<>();
        List<UUID> leaving = new ArrayList<>();
        List<UUID> over = new ArrayList<>();
        for (ItemResult result : ended) {
            Set<Integer> positions = ours.getOrDefault(result.item().submission(), Set.of());
            Map<QueueItem.Recipient, RecipientOutcome> last = decided(result, positions, now);
            last.forEach((recipient, outcome) -> settled.add(new DeliveryQueueSql.RecipientUpdate(
                    result.item().submission(), recipient, outcome, DeliverySchedule.pause(recipient, outcome))));
            UUID message = result.item().message();
            if (message != null && !last.isEmpty()) {
                labelling.find(message).ifPresent(sentMessage -> {
                    addEvents(result.item(), sentMessage, last, leaving);
                    addAliases(sentMessage, last.values());
                });
            }
            DsnReports.due(result, last, now).ifPresent(due::add);
            if (result.item().isReport()
                    && !last.isEmpty()
                    && last.values().stream().noneMatch(RecipientOutcome::isOpen)) {
                over.add(result.item().submission());
            }
            tx.afterCommit(() -> log(result.item(), last, now));
        }
        DeliveryQueueSql.appendResults(writes, view, settled);
        DeliveryQueueSql.markHandedOver(writes, view, leaving);
        DeliveryQueueSql.forget(writes, view, over);
        labelling.appendTo(writes);
        MessageAliases.appendTo(writes, view, aliases);
        events.appendTo(writes);
    }

    @Override
    public @Nullable Runnable followUp() {
        return suppressed.isEmpty() && due.isEmpty() && failed.isEmpty()
                ? null
                : () -> {
                    failed.forEach((message, thread) -> WaitingSql.returned(tx, view, message, thread));
                    if (!suppressed.isEmpty()) {
                        Lists.suppress(tx, view, suppressed, Lists.Cause.BOUNCED);
                    }
                    due.forEach(report -> reports.queue(tx, report));
                };
    }

    /**
     * The outcomes that are recorded: only those that the claim still holds, so that a repetition of this batch records
     * nothing twice.
     */
    private static Map<QueueItem.Recipient, RecipientOutcome> decided(
            ItemResult ended, Set<Integer> positions, Instant now) {
        Map<QueueItem.Recipient, RecipientOutcome> last = DeliverySchedule.asOf(ended.item(), ended.outcomes(), now);
        last.keySet().removeIf(recipient -> !positions.contains(recipient.position()));
        return last;
    }

    private static void log(QueueItem item, Map<QueueItem.Recipient, RecipientOutcome> outcomes, Instant now) {
        outcomes.forEach((recipient, outcome) -> {
            Duration pause = DeliverySchedule.pause(recipient, outcome);
            LogLine.of("delivery")
                    .with("submission_id", item.submission())
                    .with("organization_id", item.organization())
                    .with("recipient", recipient.address())
                    .with("state", outcome.state().wireName())
                    .with("reply", outcome.reply())
                    .with("attempt", recipient.attempt())
                    .with("next_attempt_at", pause == null ? null : now.plus(pause))
                    .write();
        });
    }

    private void addEvents(
            QueueItem item, Message message, Map<QueueItem.Recipient, RecipientOutcome> outcomes, List<UUID> leaving) {
        Set<String> labels = new LinkedHashSet<>();
        List<String> delivered = outcomes.entrySet().stream()
                .filter(entry -> entry.getValue().isHandedOver())
                .map(entry -> entry.getKey().address())
                .sorted()
                .toList();
        if (!delivered.isEmpty()) {
            labels.add(Labels.DELIVERED);
        }
        if (outcomes.values().stream().anyMatch(outcome -> outcome.state() == RecipientOutcome.State.DELAYED)) {
            labels.add(Labels.DELAYED);
        }
        if (outcomes.values().stream().anyMatch(outcome -> outcome.state() == RecipientOutcome.State.BOUNCED)) {
            labels.add(Labels.BOUNCED);
        }
        List<String> reasons = reasons(outcomes);
        if (!reasons.isEmpty()) {
            labels.add(Labels.REJECTED);
        }
        if (!Collections.disjoint(labels, FAILURES)) {
            failed.put(message.id(), message.place().thread());
        }
        Message after = labelling.add(message, labels);
        if (!delivered.isEmpty() && handedOver.add(item.submission())) {
            leaving.add(item.submission());
            List<String> all = bare(after.people().recipients());
            notify(EventType.MESSAGE_SENT, after, "send", JsonObject.of("recipients", all));
        }
        if (!delivered.isEmpty()) {
            notify(EventType.MESSAGE_DELIVERED, after, "delivery", JsonObject.of("recipients", delivered));
        }
        BouncedRecipients.kinds(outcomes)
                .forEach((kind, addresses) -> notify(EventType.MESSAGE_BOUNCED, after, "bounce", kind.json(addresses)));
        reasons.forEach(reason -> notify(EventType.MESSAGE_REJECTED, after, "reject", JsonObject.of("reason", reason)));
        suppressed.addAll(BouncedRecipients.ofTheAddress(outcomes));
    }

    private void notify(EventType type, Message message, String name, JsonObject members) {
        MessageEvents.add(events, type, message, new MessageEvents.Detail(name, members));
    }

    /** A relay that replaces Message-ID names the new one, which answers will name; servers also name recipients. */
    private void addAliases(Message message, Collection<RecipientOutcome> outcomes) {
        List<String> recipients = bare(message.people().recipients());
        outcomes.stream()
                .filter(RecipientOutcome::isRelayed)
                .flatMap(outcome -> RelayIds.named(outcome.reply()).stream())
                .filter(id -> !id.equals(message.name()))
                .filter(id -> recipients.stream().noneMatch(address -> id.equalsIgnoreCase("<" + address + ">")))
                .forEach(id -> aliases.add(new MessageAliases.MessageAlias(message, id)));
    }

    /** The reasons why this server refused an accepted message, one sentence each. */
    private static List<String> reasons(Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        Map<String, List<String>> byReply = new TreeMap<>();
        outcomes.forEach((recipient, outcome) -> {
            if (outcome.state() == RecipientOutcome.State.REJECTED) {
                byReply.computeIfAbsent(
                                outcome.reply().substring(RecipientOutcome.REJECTION.length()), _ -> new ArrayList<>())
                        .add(recipient.address());
            }
        });
        return byReply.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + String.join(", ", entry.getValue()))
                .toList();
    }

    private static List<String> bare(List<String> recipients) {
        return recipients.stream().map(MailAddress::bare).distinct().toList();
    }
}
