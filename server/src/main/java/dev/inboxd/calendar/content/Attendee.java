package dev.inboxd.calendar.content;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.Timestamps;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who is invited to an event.
 *
 * @param email the address in lower case, once in an event
 * @param required false for one who is optional
 */
public record Attendee(String email, @Nullable String name, boolean required, Answer answer) {
    private static final String OPTIONAL = "optional";

    /**
     * What an attendee answered.
     *
     * @param at when
     * @param mark the version of the event that was answered by mail, and when the answer was written; null for an
     *     answer that came in another way
     */
    public record Answer(
            AttendeeStatus status,
            @Nullable String comment,
            @Nullable Instant at,
            @Nullable Mark mark) {
        /** Nothing yet. */
        public static final Answer NONE = new Answer(AttendeeStatus.NEEDS_ACTION, null, null, null);
    }

    /**
     * Orders the answers of an attendee: a later one has a higher sequence, or the same and a later stamp.
     *
     * @param sequence SEQUENCE of the answer
     * @param stamp its DTSTAMP
     */
    public record Mark(int sequence, Instant stamp) {}

    /** The same attendee with another answer. */
    public Attendee with(Answer newAnswer) {
        return new Attendee(email, name, required, newAnswer);
    }

    /** As in answers. */
    public JsonObject json() {
        return JsonObject.of("email", email)
                .with("name", name)
                .with("status", answer.status.wireName())
                .with("role", required ? "required" : OPTIONAL)
                .with("comment", answer.comment)
                .with("responded_at", answer.at);
    }

    /** As in the row. */
    public JsonObject stored() {
        return answer.mark == null
                ? json()
                : json().with("answer_sequence", answer.mark.sequence).with("answer_stamp", answer.mark.stamp);
    }

    public static Attendee stored(Map<?, ?> row) {
        Instant stamp = instant(row.get("answer_stamp"));
        Answer answer = new Answer(
                AttendeeStatus.ofWire((String) Objects.requireNonNull(row.get("status"))),
                (String) row.get("comment"),
                instant(row.get("responded_at")),
                stamp == null || !(row.get("answer_sequence") instanceof Long sequence)
                        ? null
                        : new Mark(Math.toIntExact(sequence), stamp));
        return new Attendee(
                (String) Objects.requireNonNull(row.get("email")),
                (String) row.get("name"),
                !OPTIONAL.equals(row.get("role")),
                answer);
    }

    private static @Nullable Instant instant(@Nullable Object text) {
        return text == null ? null : Timestamps.parse((String) text);
    }
}
