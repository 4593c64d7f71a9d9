package dev.inboxd.mailbox.label.change;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.MessageReads;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadTotals;
import dev.inboxd.mailbox.thread.Threads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Adds labels to messages in one transaction, where the labels neither hide nor show a message, so that no thread must
 * be read through. Every statement is by rows, for a {@link dev.inboxd.base.database.Database.Change}. Call
 * {@link #prefetch} first, then run the opening round trip, then call {@link #add} any number of times, then
 * {@link #appendTo}. Any other change of labels is for {@link LabelChangeBatch}.
 */
public final class LabelAddition {
    private final EventLog.EventBatch events;
    private final Map<UUID, Message> messages = new HashMap<>();
    private final Map<UUID, MailThread> threads = new HashMap<>();
    private final Map<UUID, Message> changed = new LinkedHashMap<>();
    private final Set<UUID> changedThreads = new LinkedHashSet<>();
    private RoundTrip.Result<Message> foundMessages = RoundTrip.Result.none();
    private RoundTrip.Result<MailThread> foundThreads = RoundTrip.Result.none();

    /** Adds labels in the transaction of these events; the caller writes the events. */
    public LabelAddition(EventLog.EventBatch events) {
        this.events = events;
    }

    /** The sequence numbers of the organization's clock that one message may need for a number of labels. */
    public static int numbersNeeded(int labels) {
        return 1 + 2 * labels;
    }

    /** Adds a look-up of the messages and their threads to the opening round trip. */
    public void prefetch(RoundTrip opening, Collection<UUID> ids) {
        List<UUID> distinctIds = ids.stream().distinct().toList();
        foundMessages = MessageReads.prefetchKeys(opening, events.view(), distinctIds);
        foundThreads = Threads.prefetchOfMessages(opening, events.view(), distinctIds);
    }

    /** The message as it is now, changes of this object included; empty when it was deleted. */
    public Optional<Message> find(UUID id) {
        foundMessages.rows().forEach(message -> messages.putIfAbsent(message.id(), message));
        foundThreads.rows().forEach(thread -> threads.putIfAbsent(thread.id(), thread));
        return Optional.ofNullable(messages.get(id));
    }

    /**
     * Adds labels, and the event about those that are new.
     *
     * @param message the result of {@link #find}
     * @param labels none of them restricted
     * @return the message as it is now
     */
    public Message add(Message message, Set<String> labels) {
        List<String> after = new LabelChange(labels, Set.of()).appliedTo(message.labels());
        List<String> fresh = new ArrayList<>(after);
        fresh.removeAll(message.labels());
        if (fresh.isEmpty()) {
            return message;
        }
        Event event = new Event(EventType.LABEL_ADDED, MessageEvents.subject(message), fresh, null);
        Instant now = events.add(event).at();
        Message labelled = message.with(after, now);
        messages.put(message.id(), labelled);
        changed.put(message.id(), labelled);
        MailThread thread = threads.get(message.place().thread());
        // A hidden message does not count in a thread that has clean ones (mail.md §10.4).
        if (thread != null && thread.totals().tier() == ThreadTotals.Tier.of(message.restricted())) {
            MailThread with = thread.labelled(fresh, Set.of(), now);
            if (!with.equals(thread)) {
                threads.put(thread.id(), with);
                changedThreads.add(thread.id());
            }
        }
        return labelled;
    }

    /** Adds the updates of messages and threads to a round trip. */
    public void appendTo(RoundTrip writes) {
        MessageLabelSql.relabel(writes, events.view(), List.copyOf(changed.values()));
        Threads.appendTo(
                writes,
                events.view(),
                List.of(),
                changedThreads.stream()
                        .map(id -> Objects.requireNonNull(threads.get(id)))
                        .toList());
    }
}
