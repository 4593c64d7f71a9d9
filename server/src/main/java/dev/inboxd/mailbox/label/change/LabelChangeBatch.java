package dev.inboxd.mailbox.label.change;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadTotals;
import dev.inboxd.mailbox.thread.ThreadTotalsQuery;
import dev.inboxd.mailbox.thread.ThreadWait;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.mailbox.thread.WaitingSql;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * One change of labels on some messages in one transaction: their rows, an event for each that changes, and their
 * threads. A thread is read through only when one of its messages was hidden or shown by the change (mail.md §10.4,
 * §10.5).
 */
public final class LabelChangeBatch {
    private final EventLog.EventBatch events;
    private final LabelChange change;
    private final ThreadTotalsQuery totals;
    private final Map<UUID, Change> changes = new HashMap<>();
    /** Threads in which another side may wait now. */
    private final Set<UUID> recounted = new LinkedHashSet<>();

    private RoundTrip.Result<MailThread> threads = RoundTrip.Result.none();
    private Instant now = Instant.EPOCH;

    /**
     * The labels added to and removed from messages of a thread, by the tier of the messages: those of another tier
     * than the thread's do not count in it.
     */
    private record Change(Map<ThreadTotals.Tier, Set<String>> added, Set<String> removed) {
        Change() {
            this(new EnumMap<>(ThreadTotals.Tier.class), new LinkedHashSet<>());
        }

        Set<String> addedTo(ThreadTotals.Tier tier) {
            return added.computeIfAbsent(tier, _ -> new LinkedHashSet<>());
        }
    }

    LabelChangeBatch(EventLog.EventBatch events, LabelChange change) {
        this.events = events;
        this.change = change;
        this.totals = new ThreadTotalsQuery(events.view());
    }

    /** Relabels a message and its thread in the caller's transaction, with as many sequence numbers as it takes. */
    public static Message relabel(Tx tx, Message before, LabelChange change, EventLog.EventBatch appending) {
        LabelChangeBatch batch = new LabelChangeBatch(appending, change);
        Message after = batch.apply(tx, List.of(before)).getFirst();
        RoundTrip trip = tx.roundTrip();
        batch.appendTo(trip);
        trip.run();
        return after;
    }

    /** The sequence numbers of the organization's clock that a number of messages may need. */
    static int numbers(int messages, LabelChange change) {
        return messages * (2 + change.add().size() + change.remove().size());
    }

    /**
     * Changes the messages in a round trip, which also looks their threads up; returns the messages as they are now.
     */
    List<Message> apply(Tx tx, List<Message> before) {
        List<Message> after = new ArrayList<>(before.size());
        List<Message> changed = new ArrayList<>();
        Set<UUID> hiddenOrShown = new LinkedHashSet<>();
        for (Message message : before) {
            List<String> labels = change.appliedTo(message.labels());
            if (labels.equals(message.labels())) {
                after.add(message);
                continue;
            }
            Message relabelled = addEvents(message, labels);
            after.add(relabelled);
            changed.add(relabelled);
            UUID thread = message.place().thread();
            if (relabelled.restricted() != message.restricted()
                    || ThreadWait.differs(message.labels(), relabelled.labels())) {
                recounted.add(thread);
            }
            if (relabelled.restricted() == message.restricted()) {
                note(relabelled, message);
            } else {
                hiddenOrShown.add(thread);
            }
        }
        if (!changed.isEmpty()) {
            changes.keySet().removeAll(hiddenOrShown);
            RoundTrip trip = tx.roundTrip();
            MessageLabelSql.relabel(trip, events.view(), changed);
            threads = Threads.prefetch(trip, events.view(), changes.keySet());
            Map<UUID, Set<String>> removed = new LinkedHashMap<>();
            changes.forEach((thread, noted) -> removed.put(thread, noted.removed));
            totals.prefetchRemaining(trip, removed);
            totals.prefetch(trip, hiddenOrShown);
            trip.run();
        }
        return List.copyOf(after);
    }

    /** Adds the updates of the threads to a round trip. */
    void appendTo(RoundTrip trip) {
        List<MailThread> changed = new ArrayList<>(totals.changed(trip, now));
        for (MailThread thread : threads.rows()) {
            Change noted = Objects.requireNonNull(changes.get(thread.id()));
            Set<String> goneLabels = new LinkedHashSet<>(noted.removed);
            goneLabels.removeAll(totals.remainingLabels(thread.id()));
            MailThread after = thread.labelled(noted.addedTo(thread.totals().tier()), goneLabels, now);
            if (!after.equals(thread)) {
                changed.add(after);
            }
        }
        Threads.appendTo(trip, events.view(), List.of(), changed);
        WaitingSql.appendRecount(trip, events.view(), recounted);
    }

    /** Adds one event about the added labels, and one about the removed ones. */
    private Message addEvents(Message before, List<String> labels) {
        Message after = before.with(labels, before.updatedAt());
        Map<EventType, List<String>> byType = new LinkedHashMap<>();
        byType.put(EventType.LABEL_ADDED, without(labels, before.labels()));
        byType.put(EventType.LABEL_REMOVED, without(before.labels(), labels));
        byType.forEach((type, difference) -> {
            if (!difference.isEmpty()) {
                now = events.add(new Event(type, MessageEvents.subject(after), difference, null))
                        .at();
            }
        });
        return before.with(labels, now);
    }

    private static List<String> without(List<String> labels, List<String> others) {
        List<String> remaining = new ArrayList<>(labels);
        remaining.removeAll(others);
        return remaining;
    }

    private void note(Message after, Message before) {
        Change noted = changes.computeIfAbsent(after.place().thread(), _ -> new Change());
        noted.addedTo(ThreadTotals.Tier.of(after.restricted())).addAll(without(after.labels(), before.labels()));
        noted.removed.addAll(without(before.labels(), after.labels()));
    }
}
