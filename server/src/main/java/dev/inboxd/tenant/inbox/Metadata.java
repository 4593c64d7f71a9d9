package dev.inboxd.tenant.inbox;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata that a client stores with an inbox (mail.md §5.4, §5.5).
 *
 * @param members names to strings, numbers and booleans; null removes the name in a change
 */
record Metadata(Map<String, @Nullable Object> members) {
    private static final int MOST = 256;
    private static final int LONGEST = 256;

    /** No members. */
    static final Metadata NONE = new Metadata(Map.of());

    /** Reads the member {@code metadata} of a body, or null when it is absent; faults are added to the body. */
    static @Nullable Metadata read(JsonBody body, boolean mayRemove) {
        Map<String, @Nullable Object> members = body.scalarMap("metadata");
        if (members == null) {
            return null;
        }
        if (members.size() > MOST) {
            body.fault("metadata", "metadata has at most " + MOST + " members");
        }
        members.forEach((name, value) -> {
            if (name.isEmpty() || name.length() > LONGEST) {
                body.fault("metadata", "A metadata name has 1 to " + LONGEST + " characters");
            }
            if (value == null && !mayRemove) {
                body.fault("metadata", "The metadata member " + name + " must be a string, a number or a boolean");
            }
            if (value instanceof String text && text.length() > LONGEST) {
                body.fault("metadata", "The metadata member " + name + " has at most " + LONGEST + " characters");
            }
        });
        return new Metadata(members);
    }

    /** The members in a stored text. */
    @SuppressWarnings("unchecked")
    static Metadata stored(@Nullable String text) {
        Object parsed = text == null ? null : Json.stored(text);
        return parsed == null ? NONE : new Metadata((Map<String, @Nullable Object>) parsed);
    }

    /** These members with a change applied: its members replace these, and its null members are removed. */
    Metadata with(Metadata change) {
        Map<String, @Nullable Object> merged = new LinkedHashMap<>(members);
        change.members.forEach((name, value) -> {
            if (value == null) {
                merged.remove(name);
            } else {
                merged.put(name, value);
            }
        });
        return new Metadata(merged);
    }

    /** Whether there are more members than an inbox may have. */
    boolean isTooLarge() {
        return members.size() > MOST;
    }

    /** The stored text, or null when there are no members. */
    @Nullable
    String text() {
        return members.isEmpty() ? null : Json.text(members);
    }
}
