package dev.inboxd.base.http;

import dev.inboxd.base.database.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a handler says of its change to the observers of requests, beside its answer. Observers keep it, so it has ids
 * and words of the interface, and nothing that a caller may make long.
 */
public final class ChangeNote {
    /** Whether something was changed, as far as the handler says. */
    public enum Effect {
        /** The handler says nothing: a success is a change. */
        UNSAID,
        /** Something was changed. */
        CHANGED,
        /** Something else was changed than a success of the route usually changes. */
        ALTERNATIVE,
        /** Nothing was: all was so before, or the request repeats an earlier one. */
        UNCHANGED
    }

    private final Map<String, Object> details = new LinkedHashMap<>();
    private Effect effect = Effect.UNSAID;
    private @Nullable String target;

    ChangeNote() {}

    /** Something was changed. */
    public ChangeNote changed() {
        effect = Effect.CHANGED;
        return this;
    }

    /** Something else was changed than a success of the route usually changes. */
    public ChangeNote alternative() {
        effect = Effect.ALTERNATIVE;
        return this;
    }

    /** Says whether there was a change, and goes on with what is there now. */
    public <T> T of(Outcome<T> outcome) {
        effect = outcome.changed() ? Effect.CHANGED : Effect.UNCHANGED;
        return outcome.value();
    }

    /** Names what was changed by its public id, whatever the path calls it. */
    public ChangeNote target(String id) {
        target = id;
        return this;
    }

    /** Adds a number. */
    public ChangeNote with(String name, int number) {
        details.put(name, number);
        return this;
    }

    /** Adds addresses of mail; none are left out. */
    public ChangeNote with(String name, List<String> addresses) {
        if (!addresses.isEmpty()) {
            details.put(name, new ArrayList<>(addresses));
        }
        return this;
    }

    /** Whether something was changed. */
    public Effect effect() {
        return effect;
    }

    /** The public id of what was changed; null when the handler names none. */
    public @Nullable String target() {
        return target;
    }

    /** What else was said, by name. */
    public Map<String, Object> details() {
        return details;
    }
}
