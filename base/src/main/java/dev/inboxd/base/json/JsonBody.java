package dev.inboxd.base.json;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.error.Quotation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final MemberNames read = new MemberNames();

    private JsonBody(Map<String, @Nullable Object> members, List<Object> path, Faults faults) {
        this.members = members;
        this.path = path;
        this.faults = faults;
        faults.atCheck(() -> read.review(members.keySet(), path, faults));
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
        if (Json.parse(JsonReader.withoutMark(bytes)) instanceof Map<?, ?> object) {
            return new JsonBody(named(object), List.of(), faults);
        }
        throw Problem.invalid(List.of(new Fault(List.of(), "The body must be a JSON object")));
    }

    /**
     * An object that was read from another form than JSON, as values of {@link Json#parse}.
     *
     * @param path where it stands, for the faults
     * @param faults collects the faults
     */
    public static JsonBody of(Map<?, ?> members, List<Object> path, Faults faults) {
        return new JsonBody(named(members), path, faults);
    }

    /** Whether the member is present, null or not. */
    public boolean has(String name) {
        read.single(name);
        return members.containsKey(name);
    }

    /** Whether the member is present and null. */
    public boolean isNull(String name) {
        return has(name) && members.get(name) == null;
    }

    /** Whether the member is present and neither null nor the empty string, which both count as left out. */
    public boolean isGiven(String name) {
        return has(name) && members.get(name) != null && !"".equals(members.get(name));
    }

    /** The names of all members, in order. */
    public List<String> names() {
        return List.copyOf(members.keySet());
    }

    /** The names of the members that were asked for so far, in order: without those that nobody reads. */
    public List<String> readNames() {
        return members.keySet().stream().filter(read::isRead).toList();
    }

    /** The object without some members as text, those of every object sorted by name: equal for equal requests. */
    public String canonical(String... without) {
        return CanonicalJson.text(members, without);
    }

    /** Adds a fault that the caller has found in a member. */
    public void fault(String name, String message) {
        faults.add(new Fault(below(name), message));
    }

    /** Adds a fault of this kind that the caller has found in a member. */
    public void fault(String name, String message, Fault.Code code, String expected) {
        faults.add(new Fault(below(name), message).as(code, expected));
    }

    /** Adds a fault in one item of a list member; its path begins with the position. */
    public void faultOfItem(String name, Fault fault) {
        List<Object> at = new ArrayList<>(below(name));
        at.addAll(fault.path().subList(isList(name) ? 0 : 1, fault.path().size()));
        faults.add(new Fault(at, fault.message(), fault.code(), fault.expected()));
    }

    void fault(String name, String message, Fault.Code code) {
        faults.add(new Fault(below(name), message).as(code));
    }

    /** Adds the fault that a required member is missing. */
    public void missing(String name) {
        fault(name, name + " is required", Fault.Code.REQUIRED);
    }

    /** Adds the fault that a member is something else than what is expected, which completes "must be". */
    void mismatch(String name, String actual, Fault.Code code, String expected) {
        fault(name, name + " must be " + expected + ", not " + Quotation.of(actual), code, expected);
    }

    /** Adds a fault of one item of a list member; of a member that is no list only that of its first item counts. */
    public void fault(String name, int item, String message) {
        faults.add(new Fault(isList(name) ? Fault.join(below(name), item) : below(name), message));
    }

    /** Adds a fault of one member of an object member. */
    public void fault(String name, String member, String message) {
        faults.add(new Fault(Fault.join(below(name), member), message));
    }

    /** Ends the parsing of the request, its query included: a {@code validation_error} has every fault so far. */
    public void check() {
        faults.check();
    }

    /** A string. Its rules follow, and {@link StringMember#required()} or a similar method ends the chain. */
    public StringMember string(String name) {
        return new StringMember(name, value(name, String.class, "a string"), this);
    }

    /** A string or a list of strings. Its rules follow, and {@link StringsMember#list()} ends the chain. */
    public StringsMember strings(String name) {
        read.list(name);
        return new StringsMember(name, members.get(name), below(name), faults);
    }

    /** Whether the member is a list. */
    public boolean isList(String name) {
        return members.get(name) instanceof List;
    }

    /** Any value, as {@link Json#parse} gives it, or null when absent. */
    public @Nullable Object any(String name) {
        read.single(name);
        return members.get(name);
    }

    /** A boolean, or null when absent. */
    public @Nullable Boolean flag(String name) {
        return value(name, Boolean.class, "true or false");
    }

    /** A boolean, or the other value when absent. */
    public boolean flag(String name, boolean otherwise) {
        Boolean flag = flag(name);
        return flag == null ? otherwise : flag;
    }

    /** A whole number within the range, or null when absent. */
    public @Nullable Long integer(String name, long least, long most) {
        String expected = "a whole number from " + least + " to " + most;
        Long number = value(name, Long.class, expected);
        if (number != null && (number < least || number > most)) {
            mismatch(name, number.toString(), number < least ? Fault.Code.TOO_SMALL : Fault.Code.TOO_BIG, expected);
            return null;
        }
        return number;
    }

    /** A point in time (RFC 3339 with Z or an offset), or null when absent. */
    public @Nullable Instant instant(String name) {
        String expected = "a time like 2026-01-31T12:00:00Z";
        String text = value(name, String.class, expected);
        Instant instant = text == null || text.isEmpty() ? null : Timestamps.parse(text);
        if (text != null && !text.isEmpty() && instant == null) {
            mismatch(name, text, Fault.Code.INVALID_FORMAT, expected);
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
        for (T candidate : all) {
            if (wire.apply(candidate).equals(word)) {
                return candidate;
            }
        }
        mismatch(name, word, Fault.Code.INVALID_VALUE, expected);
        return null;
    }

    /** An object, or null when absent. */
    public @Nullable JsonBody object(String name) {
        Map<?, ?> object = value(name, Map.class, "an object");
        if (object == null
                && "".equals(members.get(name))) { // an object may limit what is given, so nothing is taken for none
            fault(name, name + " must be an object", Fault.Code.INVALID_TYPE, "an object");
        }
        return object == null ? null : new JsonBody(named(object), below(name), faults);
    }

    /** A list of at most {@code most} objects; empty when absent. */
    public List<JsonBody> objects(String name, int most) {
        read.list(name);
        List<?> list = value(name, List.class, "a list of objects");
        if (list == null) {
            return List.of();
        }
        if (list.size() > most) {
            fault(name, name + " must have at most " + most + " items, not " + list.size(), Fault.Code.TOO_BIG);
            return List.of();
        }
        List<JsonBody> objects = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            List<Object> at = Fault.join(below(name), i);
            if (list.get(i) instanceof Map<?, ?> object) {
                objects.add(new JsonBody(named(object), at, faults));
            } else {
                faults.add(new Fault(at, name + " must hold objects").as(Fault.Code.INVALID_TYPE, "an object"));
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
                faults.add(
                        new Fault(Fault.join(below(name), key), name + " must hold strings without control characters")
                                .as(Fault.Code.INVALID_TYPE, "a string"));
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
        named(object).forEach((key, value) -> {
            if (value instanceof Map || value instanceof List) {
                faults.add(new Fault(Fault.join(below(name), key), name + " must hold strings, numbers and booleans")
                        .as(Fault.Code.INVALID_TYPE, "a string, number or boolean"));
            }
        });
        return named(object);
    }

    private <T> @Nullable T value(String name, Class<T> kind, String expected) {
        read.single(name);
        Object value = members.get(name);
        if (value == null || (value.equals("") && kind != String.class)) {
            return null;
        }
        if (kind.isInstance(value)) {
            return kind.cast(value);
        }
        fault(name, name + " must be " + expected, Fault.Code.INVALID_TYPE, expected);
        return null;
    }

    private List<Object> below(String name) {
        return Fault.join(path, name);
    }

    /** Casts an object of the parser, whose names are always strings. */
    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> named(Map<?, ?> object) {
        return (Map<String, @Nullable Object>) object;
    }
}
