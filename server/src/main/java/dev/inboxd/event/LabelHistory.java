package dev.inboxd.event;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The labels that a message had at an event, from the log, as long as the message exists.
 *
 * @param labels in the order in which they were added
 * @param changedAt time of the last change among them
 * @param opened whether the message started its thread and was told of at once: the thread of one that was held first
 *     may have gone on
 */
public record LabelHistory(List<String> labels, Instant changedAt, boolean opened) {
    public LabelHistory {
        labels = List.copyOf(labels);
    }

    /**
     * {@code offset 0} keeps the planner at one index look-up for each moment, instead of all events of the
     * organization.
     */
    private static final String LABELS = """
            select h.moment, e.type, e.labels, e.at, coalesce(e.threads, 0) > 0 as opened
            from {rows} as h cross join lateral (
                select e.seq, e.type, e.labels, e.at, e.threads from event e
                where {e} and e.message_id = h.message_id and e.seq <= h.moment offset 0) as e
            order by e.seq""";

    private static final String HELD = RestrictedLabel.HELD.label();

    private static final RowStatement<Moment> CHANGES = RowStatement.of(
            LABELS, RowStatement.uuid("message_id", Moment::message), RowStatement.bigint("moment", Moment::event));

    /**
     * A moment in the history of a message.
     *
     * @param event number of one of its events
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
     * Adds a look-up to a round trip: the labels of messages, each right after one of its events.
     *
     * @return by event number, after the round trip; a message without events has no entry
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
            opened = (opened || change.opened) && !(change.removed && change.labels.contains(HELD));
        }
        return new LabelHistory(labels, changed, opened);
    }
}
