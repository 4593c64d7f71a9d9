package dev.inboxd.notify.stream;

import dev.inboxd.base.database.Row;
import dev.inboxd.event.EventType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the event log, with the columns that decide who may see it.
 *
 * @param type null for an event type that this release does not know, raised by a newer node
 * @param restricted bits of the restricted labels that the message has now, or had when it was deleted
 * @param mailAt when the message was created; for a deleted message, the time of the event
 * @param details the event's own members as JSON text, or null
 * @param messageDeleted whether the message was deleted since, itself or with its inbox
 */
record LoggedEvent(
        long number,
        Instant at,
        @Nullable EventType type,
        Place place,
        @Nullable UUID message,
        @Nullable String messageName,
        List<String> labels,
        int restricted,
        Instant mailAt,
        @Nullable String details,
        boolean messageDeleted) {

    /** Limit of labels of one row. The entry of the n-th label has the row's sequence number plus n. */
    static final int MOST_LABELS = 128;

    LoggedEvent {
        labels = List.copyOf(labels);
    }

    /** The pod and inbox of an event; an event of a domain has no inbox. */
    record Place(
            @Nullable UUID pod,
            @Nullable UUID inbox,
            @Nullable String inboxName) {}

    /**
     * One entry of the log, as a client sees it: the event, or one label that was added or removed.
     *
     * @param number the sequence number of the entry
     * @param label null for the event itself
     */
    record Entry(
            LoggedEvent of,
            long number,
            EventType type,
            @Nullable String label) {}

    static LoggedEvent read(Row row) {
        return new LoggedEvent(
                row.longer("seq"),
                row.instant("at"),
                EventType.ofWire(row.text("type")),
                new Place(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), row.textOrNull("inbox_name")),
                row.uuidOrNull("message_id"),
                row.textOrNull("message_name"),
                row.texts("labels"),
                row.integer("restricted"),
                row.instant("mail_at"),
                row.textOrNull("details"),
                row.flag("gone"));
    }

    /** The entries of this row in the order of their numbers; none for an unknown type. */
    List<Entry> entries() {
        if (type == null) {
            return List.of();
        }
        List<Entry> entries = new ArrayList<>(1 + labels.size());
        if (type.isSubscribable()) {
            entries.add(new Entry(this, number, type, null));
        }
        EventType change = type == EventType.LABEL_REMOVED ? type : EventType.LABEL_ADDED;
        for (int i = 0; i < labels.size(); i++) {
            entries.add(new Entry(this, number + 1 + i, change, labels.get(i)));
        }
        return entries;
    }
}
