package dev.inboxd.event;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Row;
import dev.inboxd.database.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The labels that a message had at an event, which the log tells for as long as the message is there.
 *
 * @param labels in the order in which they came
 * @param changedAt when the last of these changes was
 * @param opened whether the message opened its thread
 */
public record LabelHistory(List<String> labels, Instant changedAt, boolean opened) {
    public LabelHistory {
        labels = List.copyOf(labels);
    }

    private record Change(boolean removed, List<String> labels, Instant at, boolean opened) {
        static Change read(Row row) {
            return new Change(row.text("type").equals(EventType.LABEL_REMOVED.wire()), row.texts("labels"),
                    row.instant("at"), row.flag("opened"));
        }
    }

    /**
     * Adds a look-up of the labels of a message right after an event to a round trip.
     *
     * @param event its number; an event of that message
     * @return tells them after the round trip
     */
    public static Supplier<LabelHistory> look(RoundTrip trip, View all, UUID message, long event) {
        RoundTrip.Pending<Change> changes = trip.look(all, "select e.type, e.labels, e.at,"
                + " coalesce(e.threads, 0) > 0 as opened"
                + " from event e where {e} and e.message_id = :message and e.seq <= :event order by e.seq",
                Change::read, "message", message, "event", event);
        return () -> of(changes.rows());
    }

    private static LabelHistory of(List<Change> changes) {
        List<String> labels = new ArrayList<>();
        Instant changed = Instant.EPOCH;
        boolean opened = false;
        for (Change change : changes) {
            if (change.removed) {
                labels.removeAll(change.labels);
            } else {
                change.labels.stream().filter(label -> !labels.contains(label)).forEach(labels::add);
            }
            changed = change.labels.isEmpty() ? changed : change.at;
            opened |= change.opened;
        }
        return new LabelHistory(labels, changed, opened);
    }
}
