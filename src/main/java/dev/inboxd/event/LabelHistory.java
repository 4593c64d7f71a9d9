package dev.inboxd.event;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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

    /** {@code offset 0}: a look into the index for each, and never all events of the organization. */
    private static final RowStatement<Moment> CHANGES = RowStatement.of(
            """
            select h.moment, e.type, e.labels, e.at, coalesce(e.threads, 0) > 0 as opened
            from {rows} as h cross join lateral (
                select e.seq, e.type, e.labels, e.at, e.threads from event e
                where {e} and e.message_id = h.message_id and e.seq <= h.moment offset 0) as e
            order by e.seq""", RowStatement.uuid("message_id", Moment::message), RowStatement.bigint("moment", Moment::event));

    /**
     * A moment of a message.
     *
     * @param event the number of an event of it
     */
    public record Moment(UUID message, long event) {}

    private record Change(long event, boolean removed, List<String> labels, Instant at, boolean opened) {
        static Change read(Row row) {
            return new Change(
                    row.longer("moment"),
                    row.text("type").equals(EventType.LABEL_REMOVED.wireName()),
                    row.texts("labels"),
                    row.instant("at"),
                    row.flag("opened"));
        }
    }

    /**
     * Adds a look-up of the labels of messages, each right after an event of it, to a round trip.
     *
     * @return tells them after the round trip, by the event's number; of a message without events, nothing
     */
    public static Supplier<Map<Long, LabelHistory>> prefetch(RoundTrip trip, View all, List<Moment> moments) {
        RoundTrip.Result<Change> changes = trip.query(all, CHANGES, moments, Change::read);
        return () -> changes.rows().stream()
                .collect(Collectors.groupingBy(
                        Change::event, Collectors.collectingAndThen(Collectors.toList(), LabelHistory::of)));
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
