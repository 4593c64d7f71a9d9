package dev.inboxd.message;

import dev.inboxd.thread.MailFilter;
import dev.inboxd.attachment.Attachment;
import dev.inboxd.attachment.Attachments;
import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Problem;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.id.Uuid7;
import dev.inboxd.label.LabelChange;
import dev.inboxd.label.Labels;
import dev.inboxd.page.Cursor;
import dev.inboxd.page.Page;
import dev.inboxd.page.Slice;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.Threads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be done with messages. One verb, one transaction, unless it takes the caller's. */
public final class Messages {
    private final Database database;
    private final EventLog events;

    /** The messages of a database, whose changes go to that log. */
    public Messages(Database database, EventLog events) {
        this.database = database;
        this.events = events;
    }

    /** A message with its content and attachments. */
    public record Found(Message message, Content content, List<Attachment> attachments) {}

    /** A page of an inbox. */
    Slice<Found> list(View view, MailFilter filter, Page page) {
        return database.read(tx -> {
            Slice<MessageReads.Full> slice = page.slice(MessageReads.list(tx, view, filter, page),
                    full -> Cursor.of(full.message().createdAt()));
            return new Slice<>(withAttachments(tx, view, slice.items()), slice.next());
        });
    }

    /** The newest page of a thread's messages, oldest first; the slice continues with older ones. */
    Slice<Found> ofThread(View view, UUID thread, int excluded, Page page) {
        return database.read(tx -> {
            Slice<MessageReads.Full> slice = page.slice(MessageReads.ofThread(tx, view, thread, excluded, page),
                    full -> Cursor.of(full.message().createdAt()));
            return new Slice<>(withAttachments(tx, view, slice.items()).reversed(), slice.next());
        });
    }

    /**
     * One message by its public name, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    public Found get(View view, String name) {
        return database.read(tx -> MessageReads.full(tx, view, name)
                .map(full -> withAttachments(tx, view, List.of(full)).getFirst()))
                .orElseThrow(() -> Problem.notFound("Message"));
    }

    /**
     * One message's row by its public name, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    Message row(View view, String name) {
        return database.read(tx -> MessageReads.find(tx, view, name)).orElseThrow(() -> Problem.notFound("Message"));
    }

    /**
     * An attachment of a message, or of any visible message of a thread.
     *
     * @param id as the path has it
     * @param message the message, or null for any of the thread's
     * @param thread the thread, or null for the message's
     * @throws Problem {@code not_found}
     */
    public Attachment attachment(View view, String id, @Nullable UUID message, @Nullable UUID thread) {
        UUID parsed = Uuid7.parse(id);
        if (parsed == null) {
            throw Problem.notFound("Attachment");
        }
        return database.read(tx -> Attachments.find(tx, view, parsed)
                .filter(each -> message == null || each.owner().message().equals(message))
                .filter(each -> thread == null || each.owner().thread().equals(thread))
                .filter(each -> MessageReads.find(tx, view, each.owner().message()).isPresent()))
                .orElseThrow(() -> Problem.notFound("Attachment"));
    }

    /** One message by its key, as the view shows it. */
    public Optional<Found> find(View view, UUID id) {
        return database.read(tx -> MessageReads.full(tx, view, id)
                .map(full -> withAttachments(tx, view, List.of(full)).getFirst()));
    }

    /** One message's row by its public name, in the caller's transaction. */
    public static Optional<Message> find(Tx tx, View view, String name) {
        return MessageReads.find(tx, view, name);
    }

    /** One message's row by its key, in the caller's transaction. */
    public static Optional<Message> find(Tx tx, View view, UUID id) {
        return MessageReads.find(tx, view, id);
    }

    /**
     * Changes the labels of a message.
     *
     * @throws Problem {@code not_found}, or {@code validation_error} when it would carry too many
     */
    public Message relabel(View view, String name, LabelChange change) {
        return database.write(view.organization(), tx -> {
            Message before = MessageReads.find(tx, view, name).orElseThrow(() -> Problem.notFound("Message"));
            if (change.appliedTo(before.labels()).size() > Labels.MOST) {
                throw Problem.invalid("add_labels", "A message carries at most " + Labels.MOST + " labels");
            }
            EventLog.Appending appending = events.appending(tx, View.of(view.organization()));
            Message after = relabel(tx, before, change, appending);
            appending.write();
            return after;
        });
    }

    /** Changes the labels of a message, and its thread with it, in the caller's transaction; no number is too many. */
    public static Message relabel(Tx tx, Message before, LabelChange change, EventLog.Appending appending) {
        List<String> labels = change.appliedTo(before.labels());
        if (labels.equals(before.labels())) {
            return before;
        }
        View all = appending.view();
        Instant now = null;
        Message after = before.with(labels, before.updatedAt());
        for (EventType type : List.of(EventType.LABEL_ADDED, EventType.LABEL_REMOVED)) {
            List<String> told = new ArrayList<>(type == EventType.LABEL_ADDED ? labels : before.labels());
            told.removeAll(type == EventType.LABEL_ADDED ? before.labels() : labels);
            if (!told.isEmpty()) {
                now = appending.add(new Event(type, subject(after), told, null)).at();
            }
        }
        Instant changedAt = now == null ? before.updatedAt() : now;
        MessageSql.relabel(tx, all, before.id(), labels, changedAt);
        retell(tx, all, before.place().thread(), changedAt);
        return before.with(labels, changedAt);
    }

    /**
     * A message that the inbox sent to itself has come back: one record, now also received (contract: mail.md §12.8).
     *
     * @param view the whole organization
     */
    public static void returned(Tx tx, View view, EventLog log, UUID id) {
        EventLog.Appending appending = log.appending(tx, view);
        MessageReads.find(tx, view, id).ifPresent(before -> {
            Message after = relabel(tx, before, LabelChange.adding(Labels.RECEIVED, Labels.UNREAD), appending);
            appending.add(new Event(EventType.MESSAGE_RECEIVED, subject(after), List.of(), null));
        });
        appending.write();
    }

    /** A public name that an inbox already has. */
    public record Taken(UUID inbox, String name, UUID id, boolean outgoing) {}

    /** A public name that may exist in an inbox. */
    public record Wanted(UUID inbox, String name) {}

    /** Adds a look-up of names that are taken. */
    public static RoundTrip.Pending<Taken> lookTaken(RoundTrip trip, View view, List<Wanted> names) {
        return MessageSql.taken(trip, view, names);
    }

    /** Computes a thread anew after its messages have changed; removes it when none is left. */
    static void retell(Tx tx, View all, UUID thread, Instant now) {
        Optional<MailThread> before = Threads.find(tx, all, thread);
        List<MailThread.Member> members =
                MessageReads.members(tx, all, thread).stream().map(Message::member).toList();
        RoundTrip trip = tx.roundTrip();
        if (members.isEmpty()) {
            Threads.deleteWith(trip, all, thread);
        } else {
            before.ifPresent(known ->
                    Threads.writeWith(trip, all, List.of(), List.of(known.recomputed(members, now))));
        }
        trip.run();
    }

    /** Whom an event about this message concerns. */
    public static Event.Subject subject(Message message) {
        return new Event.Subject(message.place().pod(), message.place().inbox(), message.place().thread(),
                message.id(), message.name(), message.restricted());
    }

    static List<Found> withAttachments(Tx tx, View view, List<MessageReads.Full> messages) {
        Map<UUID, List<Attachment>> attachments = Attachments.ofMessages(tx, view, messages.stream()
                .map(MessageReads.Full::message).filter(message -> message.attachments() > 0).map(Message::id).toList());
        return messages.stream().map(full -> new Found(full.message(), full.content(),
                attachments.getOrDefault(full.message().id(), List.of()))).toList();
    }
}
