package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.label.Labels;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom in a thread (mail.md §7.1), by its messages that count: clean, of no machine, not rejected, and
 * not bounced for all their recipients.
 *
 * @param state who, as the row of the thread has it
 * @param since from when on; not null exactly when somebody waits
 */
public record ThreadWait(State state, @Nullable Instant since) {
    /** Nothing is known: the row is of a node of the version before, or was not counted yet. */
    static final ThreadWait UNKNOWN = new ThreadWait(State.UNKNOWN, null);

    /** No message counts. */
    static final ThreadWait NOBODY = new ThreadWait(State.NOBODY, null);

    /** Labels of messages that do not count. */
    static final List<String> UNCOUNTED = List.of(Labels.AUTO_REPLY, Labels.REJECTED);

    /** Who waits. */
    public enum State {
        NOBODY(0, null),
        /** The others wait for the inbox. */
        ME(1, "received"),
        /** The inbox waits for the others. */
        THEM(2, "sent"),
        /** A received message is the last one, and all since the last sent one are settled. */
        SETTLED(3, "received"),
        UNKNOWN(null, null);

        private final @Nullable Integer code;
        private final @Nullable String direction;

        State(@Nullable Integer code, @Nullable String direction) {
            this.code = code;
            this.direction = direction;
        }

        static State of(@Nullable Integer code) {
            return Arrays.stream(values())
                    .filter(state -> Objects.equals(state.code, code))
                    .findFirst()
                    .orElse(UNKNOWN);
        }
    }

    /** The side that waits for an answer of the other, as lists ask for it. */
    public enum Side {
        ME(State.ME),
        THEM(State.THEM);

        private final State state;

        Side(State state) {
            this.state = state;
        }

        /** The word of the query parameter {@code waiting}. */
        public String wireName() {
            return this == ME ? "me" : "them";
        }

        /** As the column of who waits has it. */
        @Nullable
        Integer code() {
            return state.code;
        }
    }

    /** Reads {@code waiting} and {@code waiting_since}. */
    static ThreadWait read(Row row) {
        State state = State.of(row.integerOrNull("waiting"));
        return state == State.UNKNOWN ? UNKNOWN : new ThreadWait(state, row.instantOrNull("waiting_since"));
    }

    /** Whether it is known. */
    public boolean isKnown() {
        return state != State.UNKNOWN;
    }

    /** The time from when on somebody waits. */
    Instant startedAt() {
        return Objects.requireNonNull(since, "nobody waits");
    }

    /** As the column has it. */
    @Nullable
    Integer code() {
        return state.code;
    }

    /**
     * After a message joined the thread that is newer than all others.
     *
     * @param next the totals of that message alone
     */
    ThreadWait plus(ThreadTotals next) {
        if (!isKnown() || !counts(next.restricted(), next.labels())) {
            return this;
        }
        if (next.sentAt() != null) {
            return new ThreadWait(State.THEM, next.at());
        }
        if (state == State.ME) {
            return this;
        }
        return next.labels().contains(Labels.SETTLED)
                ? new ThreadWait(State.SETTLED, null)
                : new ThreadWait(State.ME, next.at());
    }

    /** Whether two sets of labels of one message make a difference to its thread. */
    public static boolean differs(List<String> before, List<String> after) {
        return before.contains(Labels.SETTLED) != after.contains(Labels.SETTLED)
                || UNCOUNTED.stream().anyMatch(label -> before.contains(label) != after.contains(label));
    }

    private static boolean counts(int restricted, List<String> labels) {
        return restricted == 0 && labels.stream().noneMatch(UNCOUNTED::contains);
    }

    /** The members of a thread, before its place. */
    public JsonObject json() {
        return JsonObject.of("last_direction", state.direction).with("waiting_since", since);
    }
}
