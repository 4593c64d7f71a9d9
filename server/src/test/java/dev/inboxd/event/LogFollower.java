package dev.inboxd.event;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A reader that remembers how far it has come and asks only for what comes after, as agents and our own workers do.
 *
 * @param <C> where it is
 */
final class LogFollower<C> {
    private final String name;
    private final C beginning;
    private final Function<C, Step<C>> reading;
    private final Set<String> seen = new HashSet<>();
    private C cursor;

    /**
     * What one look brings.
     *
     * @param cursor where to go on
     * @param items the ids of what was found
     */
    record Step<C>(C cursor, List<String> items) {
        Step {
            items = List.copyOf(items);
        }
    }

    /** A reader that begins there and looks for what is behind its cursor. */
    LogFollower(String name, C beginning, Function<C, Step<C>> reading) {
        this.name = name;
        this.beginning = beginning;
        this.cursor = beginning;
        this.reading = reading;
    }

    /** One look. */
    void look() {
        Step<C> step = reading.apply(cursor);
        seen.addAll(step.items());
        cursor = step.cursor();
    }

    /** What a reader who begins only now, when nobody writes any more, finds. */
    Set<String> truth() {
        return Set.copyOf(reading.apply(beginning).items());
    }

    /** What is there in the end and was never seen. */
    Set<String> missed() {
        Set<String> missed = new HashSet<>(truth());
        missed.removeAll(seen);
        return missed;
    }

    @Override
    public String toString() {
        return name;
    }
}
