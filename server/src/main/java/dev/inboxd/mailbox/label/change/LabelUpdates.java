package dev.inboxd.mailbox.label.change;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageReads;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.spam.SpamMarks;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Changes of labels that requests ask for: of a message, of several, or of a thread. */
public final class LabelUpdates {
    /** A thread of this many messages or more is not relabelled as a whole (mail.md §7). */
    private static final int MOST_OF_A_THREAD = 100;

    private final Database database;
    private final EventLog events;

    /** Changes messages of a database; the changes are appended to that event log. */
    public LabelUpdates(Database database, EventLog events) {
        this.database = database;
        this.events = events;
    }

    /**
     * Changes the labels of a message.
     *
     * @throws Problem {@code not_found}, or {@code validation_error} when it would carry too many labels
     */
    public Message relabel(View view, String name, LabelChange change) {
        return relabel(view, List.of(name), change).stream().findFirst().orElseThrow(() -> Problem.notFound("Message"));
    }

    /**
     * Applies one change of labels to all or none of some messages, without those that the view does not show.
     *
     * @param names public ids without duplicates
     * @return the messages in the order of the ids, as they are now
     * @throws Problem {@code validation_error} when a message would carry too many labels
     */
    public List<Message> relabel(View view, List<String> names, LabelChange change) {
        return database.write(view.organization(), LabelChangeBatch.numbers(names.size(), change), (tx, opening) -> {
            RoundTrip.Result<Message> messages = MessageReads.prefetch(opening, view, names);
            opening.run();
            return relabel(tx, view.organization(), Messages.inOrder(names, messages.rows(), Message::name), change);
        });
    }

    /**
     * Changes the labels of every message of a thread that the view shows.
     *
     * @return the thread's labels as they are now
     * @throws Problem {@code not_found}, {@code unprocessable} for a hundred messages or more
     */
    public List<String> relabelThread(View view, UUID id, LabelChange change) {
        int numbers = LabelChangeBatch.numbers(MOST_OF_A_THREAD, change);
        return database.write(view.organization(), numbers, (tx, opening) -> {
            RoundTrip.Result<MailThread> thread = Threads.prefetchVisible(opening, view, id);
            RoundTrip.Result<Message> members = MessageReads.prefetchMembers(opening, view, id, MOST_OF_A_THREAD);
            opening.run();
            if (thread.rows().isEmpty()) {
                throw Problem.notFound("Thread");
            }
            if (members.rows().size() == MOST_OF_A_THREAD) {
                throw Problem.of(
                        ErrorCode.UNPROCESSABLE,
                        "The thread has " + MOST_OF_A_THREAD + " messages or more",
                        "Change the labels of its messages with POST …/messages/batch-update.");
            }
            List<Message> after = relabel(tx, view.organization(), members.rows(), change);
            // The change may have hidden all clean messages from the caller. Then the row has labels of messages that
            // were hidden before, so the labels come from the changed messages.
            return Threads.find(tx, view, id)
                    .map(mailThread -> mailThread.totals().labels())
                    .orElseGet(() -> after.stream()
                            .flatMap(message -> message.labels().stream())
                            .distinct()
                            .toList());
        });
    }

    private List<Message> relabel(Tx tx, UUID organization, List<Message> messages, LabelChange change) {
        for (Message message : messages) {
            int labels = change.appliedTo(message.labels()).size();
            if (labels > Labels.MOST && labels > message.labels().size()) {
                throw Problem.invalid("add_labels", "A message carries at most " + Labels.MOST + " labels");
            }
        }
        if (messages.isEmpty()) {
            return messages;
        }
        EventLog.EventBatch appending = events.appending(tx, View.of(organization));
        LabelChangeBatch batch = new LabelChangeBatch(appending, change);
        List<Message> after = batch.apply(tx, messages);
        RoundTrip trip = tx.roundTrip();
        batch.appendTo(trip);
        appendSpamMarks(trip, View.of(organization), messages, after);
        appending.appendTo(trip);
        trip.run();
        return after;
    }

    /** Received mail that a client labels as spam, or no longer, trains the organization's spam model. */
    private static void appendSpamMarks(RoundTrip trip, View all, List<Message> before, List<Message> after) {
        Set<UUID> spam = spam(before);
        Set<UUID> spamNow = spam(after);
        List<UUID> received = after.stream()
                .filter(message -> !message.outgoing())
                .map(Message::id)
                .toList();
        SpamMarks.appendMarks(
                trip,
                all,
                received.stream()
                        .filter(id -> spamNow.contains(id) && !spam.contains(id))
                        .toList(),
                true);
        SpamMarks.appendMarks(
                trip,
                all,
                received.stream()
                        .filter(id -> spam.contains(id) && !spamNow.contains(id))
                        .toList(),
                false);
    }

    private static Set<UUID> spam(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.labels().contains(Labels.SPAM))
                .map(Message::id)
                .collect(Collectors.toSet());
    }
}
