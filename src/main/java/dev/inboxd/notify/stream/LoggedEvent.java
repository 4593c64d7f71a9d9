package dev.inboxd.notify.stream;

import dev.inboxd.event.EventType;
import dev.inboxd.platform.database.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the event log with what decides who may hear of it.
 *
 * @param type null for one that this release does not know, such as a newer node raises
 * @param restricted the bits of the restricted labels that its message has now, or had last
 * @param mailAt when its message came, or the event itself when there is no message any more
 * @param details the event's own members as JSON text, or null
 * @param messageDeleted whether its message was deleted since, or its inbox
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

    /** Most labels of one row, each of which has the number that many behind the row's own. */
    static final int MOST_LABELS = 128;

    LoggedEvent {
        labels = List.copyOf(labels);
    }

    /** Where it happened; an event of a domain has no inbox. */
    record Place(
            @Nullable UUID pod,
            @Nullable UUID inbox,
            @Nullable String inboxName) {}

    /**
     * One entry of the log, as a client sees it: the event, or one label that was added or removed.
     *
     * @param number its own number
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

    /** All that the row stands for, in the order of numbers: nothing, when it is not known what that is. */
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
