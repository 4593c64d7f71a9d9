package dev.inboxd.platform.json;

import dev.inboxd.platform.error.Fault;
import dev.inboxd.platform.error.Faults;
import dev.inboxd.platform.error.Problem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON object member by member and goes on after a fault: every fault is collected with its path, and {@link
 * #check()} throws all at once. Until then a faulty member reads as absent. A null member reads as absent too; {@link
 * #has} and {@link #isNull} tell the two apart where it matters. Unknown members are ignored.
 */
public final class JsonBody {
    private final Map<String, @Nullable Object> members;
    private final List<Object> path;
    private final Faults faults;

    private JsonBody(Map<String, @Nullable Object> members, List<Object> path, Faults faults) {
        this.members = members;
        this.path = path;
        this.faults = faults;
    }

    /**
     * Parses the body of a request; an empty one is the empty object.
     *
     * @param faults collects the faults
     * @throws Problem {@code validation_error} at once when the bytes are not one JSON object
     */
    public static JsonBody read(byte[] bytes, Faults faults) {
        if (bytes.length == 0) {
            return new JsonBody(Map.of(), List.of(), faults);
        }
        if (Json.parse(withoutMark(bytes)) instanceof Map<?, ?> object) {
            return new JsonBody(named(object), List.of(), faults);
        }
        throw Problem.invalid(List.of(new Fault(List.of(), "The body must be a JSON object")));
    }

    /** The bytes without a byte order mark, which some programs write: RFC 8259 §8.1 lets a reader ignore it. */
    private static byte[] withoutMark(byte[] bytes) {
        boolean isMarked =
                bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        return isMarked ? Arrays.copyOfRange(bytes, 3, bytes.length) : bytes;
    }

    /** Whether the member is present, null or not. */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** Whether the member is present and null. */
    public boolean isNull(String name) {
        return has(name) && members.get(name) == null;
    }

    /** Whether the member is present and neither null nor the empty string, which both count as left out. */
    public boolean isGiven(String name) {
        Object value = members.get(name);
        return value != null && !value.equals("");
    }

    /** The names of all members, in order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(members.keySet());
    }

    /** The whole object as text, with the members of every object sorted by name: equal for equal requests. */
    public String canonical() {
        return Json.text(sorted(members));
    }

    private static @Nullable Object sorted(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            Map<String, @Nullable Object> ordered = new TreeMap<>();
            object.forEach((name, member) -> ordered.put((String) name, sorted(member)));
            return ordered;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(sorted(item)));
            return items;
        }
        return value;
    }

    /** Adds a fault that the caller has found in a member. */
    public void fault(String name, String message) {
        faults.add(new Fault(below(name), message));
    }

    /**
     * Adds a fault of one item of a list member. For a member that is not a list, only the fault of its first item
     * counts.
     */
    public void fault(String name, int item, String message) {
        faults.add(new Fault(isList(name) ? join(below(name), item) : below(name), message));
    }

    /** Adds a fault of one member of an object member. */
    public void fault(String name, String member, String message) {
        faults.add(new Fault(join(below(name), member), message));
    }

    /**
     * Ends the parsing of the request, its query included.
     *
     * @throws Problem {@code validation_error} with every fault found so far
     */
    public void check() {
        faults.check();
    }

    /** A string. Its rules follow, and {@link StringMember#required()} or a similar method ends the chain. */
    public StringMember string(String name) {
        return new StringMember(name, value(name, String.class, "a string"), this);
    }

    /** A string or a list of strings. Its rules follow, and {@link StringsMember#list()} ends the chain. */
    public StringsMember strings(String name) {
        return new StringsMember(name, members.get(name), below(name), faults);
    }

    /** Whether the member is a list. */
    public boolean isList(String name) {
        return members.get(name) instanceof List;
    }

    /** A boolean, or null when absent. */
    public @Nullable Boolean flag(String name) {
        return value(name, Boolean.class, "true or false");
    }

    /**
     * A boolean.
     *
     * @param otherwise the value when absent
     */
    public boolean flag(String name, boolean otherwise) {
        Boolean flag = flag(name);
        return flag == null ? otherwise : flag;
    }

    /** A whole number within the range, or null when absent. */
    public @Nullable Long integer(String name, long least, long most) {
        String expected = "a whole number from " + least + " to " + most;
        Long number = value(name, Long.class, expected);
        if (number != null && (number < least || number > most)) {
            fault(name, name + " must be " + expected);
            return null;
        }
        return number;
    }

    /** A point in time (RFC 3339 with Z or an offset), or null when absent. */
    public @Nullable Instant instant(String name) {
        String expected = "a time like 2026-01-31T12:00:00Z";
        String text = value(name, String.class, expected);
        Instant instant = text == null ? null : Timestamps.parse(text);
        if (text != null && instant == null) {
            fault(name, name + " must be " + expected);
        }
        return instant;
    }

    /**
     * One of several words, or null when absent.
     *
     * @param all the choices
     * @param wire the word for each
     */
    public <T> @Nullable T choice(String name, T[] all, Function<T, String> wire) {
        String expected = "one of " + Arrays.stream(all).map(wire).collect(Collectors.joining(", "));
        String word = value(name, String.class, expected);
        if (word == null || word.isEmpty()) {
            return null;
        }
        for (T one : all) {
            if (wire.apply(one).equals(word)) {
                return one;
            }
        }
        fault(name, name + " must be " + expected);
        return null;
    }

    /** An object, or null when absent. */
    public @Nullable JsonBody object(String name) {
        Map<?, ?> object = value(name, Map.class, "an object");
        return object == null ? null : new JsonBody(named(object), below(name), faults);
    }

    /** A list of at most {@code most} objects; empty when absent. */
    public List<JsonBody> objects(String name, int most) {
        List<?> list = value(name, List.class, "a list of objects");
        if (list == null) {
            return List.of();
        }
        if (list.size() > most) {
            fault(name, name + " must have at most " + most + " items");
            return List.of();
        }
        List<JsonBody> objects = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            List<Object> at = join(below(name), i);
            if (list.get(i) instanceof Map<?, ?> object) {
                objects.add(new JsonBody(named(object), at, faults));
            } else {
                faults.add(new Fault(at, name + " must hold objects"));
            }
        }
        return objects;
    }

    /** An object of strings without control characters, or null when absent. The caller checks its names. */
    public @Nullable Map<String, String> stringMap(String name) {
        Map<?, ?> object = value(name, Map.class, "an object of strings");
        if (object == null) {
            return null;
        }
        Map<String, String> strings = new LinkedHashMap<>();
        named(object).forEach((key, value) -> {
            if (value instanceof String string && !StringMember.hasControls(string)) {
                strings.put(key, string);
            } else {
                faults.add(new Fault(join(below(name), key), name + " must hold strings without control characters"));
            }
        });
        return strings;
    }

    /**
     * An object of strings, numbers (Long or Double), booleans and nulls, or null when absent. The caller decides what
     * null means, and checks names and sizes.
     */
    public @Nullable Map<String, @Nullable Object> scalarMap(String name) {
        Map<?, ?> object = value(name, Map.class, "an object");
        if (object == null) {
            return null;
        }
        Map<String, @Nullable Object> scalars = named(object);
        scalars.forEach((key, value) -> {
            if (value instanceof Map || value instanceof List) {
                faults.add(new Fault(join(below(name), key), name + " must hold strings, numbers and booleans"));
            }
        });
        return scalars;
    }

    private <T> @Nullable T value(String name, Class<T> kind, String expected) {
        Object value = members.get(name);
        if (value == null || kind.isInstance(value)) {
            return value == null ? null : kind.cast(value);
        }
        fault(name, name + " must be " + expected);
        return null;
    }

    private List<Object> below(String name) {
        return join(path, name);
    }

    static List<Object> join(List<Object> path, Object last) {
        List<Object> longer = new ArrayList<>(path);
        longer.add(last);
        return longer;
    }

    /** Casts an object of the parser, whose names are always strings. */
    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> named(Map<?, ?> object) {
        return (Map<String, @Nullable Object>) object;
    }
}
