package dev.inboxd.backup;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Members of JSON that a backup stored. */
final class Members {
    private Members() {}

    static String text(Map<?, ?> object, String name) {
        if (object.get(name) instanceof String text) {
            return text;
        }
        throw missing(name);
    }

    static long number(Map<?, ?> object, String name) {
        if (object.get(name) instanceof Number number) {
            return number.longValue();
        }
        throw missing(name);
    }

    static List<String> texts(Map<?, ?> object, String name) {
        return list(object, name).stream().map(String::valueOf).toList();
    }

    static List<Map<?, ?>> objects(Map<?, ?> object, String name) {
        return list(object, name).stream().<Map<?, ?>>map(Members::object).toList();
    }

    static Map<?, ?> object(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw missing("an object");
    }

    private static List<?> list(Map<?, ?> object, String name) {
        if (object.get(name) instanceof List<?> list) {
            return list;
        }
        throw missing(name);
    }

    private static DamagedException missing(String name) {
        return new DamagedException(
                "The backup is damaged, or was made in another form: " + name + " is missing in it.");
    }
}
