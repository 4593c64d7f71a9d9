package dev.inboxd.base.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The form of a JSON value in which the members of every object are sorted by name: equal for equal values. */
final class CanonicalJson {
    private CanonicalJson() {}

    /** The value in this form. */
    static @Nullable Object of(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            Map<String, @Nullable Object> ordered = new TreeMap<>();
            object.forEach((name, member) -> ordered.put((String) name, of(member)));
            return ordered;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(of(item)));
            return items;
        }
        return value;
    }
}
