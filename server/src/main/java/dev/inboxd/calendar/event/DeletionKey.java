package dev.inboxd.calendar.event;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.calendar.series.CalendarTx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Idempotency-Key of a deletion (calendar.md §6): a repeat gets the first answer for a day.
 *
 * @param key null when there is none
 * @param event the id in the path
 */
record DeletionKey(@Nullable String key, String event) {
    private static final String FIELD = "Idempotency-Key";
    private static final int LONGEST = 128;
    private static final Duration RETENTION = Duration.ofHours(24);

    /**
     * Reads the key of a request.
     *
     * @throws Problem {@code validation_error} when it is malformed
     */
    static DeletionKey of(Request request) {
        String field = request.header(FIELD);
        boolean isWrong = field != null
                && (field.isEmpty() || field.length() > LONGEST || field.chars().anyMatch(c -> c <= ' ' || c >= 0x7F));
        if (isWrong) {
            throw Problem.invalid(List.of(new Fault(
                    List.of("headers", "idempotency-key"),
                    "Idempotency-Key must have 1 to " + LONGEST + " visible ASCII characters, without spaces")));
        }
        return new DeletionKey(field, request.path("event_id"));
    }

    private record EarlierDeletion(String event, String deletion) {}

    /**
     * The answer to the first request with this key.
     *
     * @throws Problem {@code idempotency_conflict} when it was about another event
     */
    public Optional<String> find(CalendarTx change) {
        if (key == null) {
            return Optional.empty();
        }
        Optional<EarlierDeletion> earlier = change.tx()
                .sql(
                        change.all(),
                        "select d.event_id, d.deletion_id from calendar_deletion d where {d} and d.key = :key"
                                + " and d.at > :since")
                .bind("key", key)
                .bind("since", change.now().minus(RETENTION))
                .first(row -> new EarlierDeletion(row.text("event_id"), row.text("deletion_id")));
        if (earlier.isPresent() && !earlier.get().event.equals(event)) {
            throw Problem.of(
                    ErrorCode.IDEMPOTENCY_CONFLICT,
                    "The Idempotency-Key was used for another event",
                    "Use a new key for every event.");
        }
        return earlier.map(EarlierDeletion::deletion);
    }

    /** Remembers the answer. */
    void insert(CalendarTx change, String deletion) {
        if (key != null) {
            change.tx()
                    .sql(change.all(), """
                    insert into calendar_deletion (organization_id, key, pod_id, inbox_id, event_id, deletion_id, at)
                    values ({organization}, :key, :pod, :inbox, :event, :deletion, :now)
                    on conflict (organization_id, key) do update
                    set pod_id = excluded.pod_id, inbox_id = excluded.inbox_id, event_id = excluded.event_id,
                        deletion_id = excluded.deletion_id, at = excluded.at""")
                    .bind("key", key)
                    .bind("pod", change.inbox().pod())
                    .bind("inbox", change.inbox().id())
                    .bind("event", event)
                    .bind("deletion", deletion)
                    .bind("now", change.now())
                    .run();
        }
    }
}
