package dev.inboxd.mailbox.message;

import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.platform.database.RoundTrip;
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
 * Labels that the service adds to messages of one transaction, where no message comes to be hidden or shown by them, so
 * that no thread need be read through. Every statement is by rows, for a {@link dev.inboxd.platform.database.Database.Change}.
 * First {@link #prefetch}, then the opening round trip, then {@link #add} as often as wanted, then {@link #appendTo}. Any
 * other change of labels is {@link LabelChangeBatch}'s.
 */
public final class LabelAddition {
    private final EventLog.EventBatch events;
    private final Map<UUID, Message> messages = new HashMap<>();
    private final Map<UUID, MailThread> threads = new HashMap<>();
    private final Map<UUID, Message> changed = new LinkedHashMap<>();
    private final Set<UUID> retold = new LinkedHashSet<>();
    private RoundTrip.Result<Message> found = RoundTrip.Result.none();
    private RoundTrip.Result<MailThread> around = RoundTrip.Result.none();

    /** Labelling in the transaction of these events, which the caller writes. */
    public LabelAddition(EventLog.EventBatch events) {
        this.events = events;
    }

    /** How many numbers of the organization's clock a message may need for so many labels. */
    public static int numbersNeeded(int labels) {
        return 1 + 2 * labels;
    }

    /** Adds a look at the messages and their threads. */
    public void prefetch(RoundTrip opening, Collection<UUID> ids) {
        List<UUID> each = ids.stream().distinct().toList();
        found = MessageReads.prefetchKeys(opening, events.view(), each);
        around = Threads.prefetchOfMessages(opening, events.view(), each);
    }

    /** The message as it is by now, unless it was deleted. */
    public Optional<Message> find(UUID id) {
        found.rows().forEach(message -> messages.putIfAbsent(message.id(), message));
        around.rows().forEach(thread -> threads.putIfAbsent(thread.id(), thread));
        return Optional.ofNullable(messages.get(id));
    }

    /**
     * Adds labels, and the event of those that are new.
     *
     * @param message as {@link #find} gave it
     * @param labels none of which is restricted
     * @return the message as it is now
     */
    public Message add(Message message, Set<String> labels) {
        List<String> after = new LabelChange(labels, Set.of()).appliedTo(message.labels());
        List<String> fresh = new ArrayList<>(after);
        fresh.removeAll(message.labels());
        if (fresh.isEmpty()) {
            return message;
        }
        Event event = new Event(EventType.LABEL_ADDED, Messages.subject(message), fresh, null);
        Instant now = events.add(event).at();
        Message labelled = message.with(after, now);
        messages.put(message.id(), labelled);
        changed.put(message.id(), labelled);
        MailThread thread = threads.get(message.place().thread());
        // A hidden message says nothing of a thread that has clean ones (mail.md §10.4).
        if (thread != null && (thread.restricted() == 0) == (message.restricted() == 0)) {
            MailThread with = thread.labelled(fresh, Set.of(), now);
            if (!with.equals(thread)) {
                threads.put(thread.id(), with);
                retold.add(thread.id());
            }
        }
        return labelled;
    }

    /** Adds the writing of messages and threads. */
    public void appendTo(RoundTrip writes) {
        MessageSql.relabel(writes, events.view(), List.copyOf(changed.values()));
        Threads.appendTo(
                writes,
                events.view(),
                List.of(),
                retold.stream()
                        .map(id -> Objects.requireNonNull(threads.get(id)))
                        .toList());
    }
}
