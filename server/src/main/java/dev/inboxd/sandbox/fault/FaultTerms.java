package dev.inboxd.sandbox.fault;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What fails, how, and for how long.
 *
 * @param times how often; null for what lasts
 * @param seconds how long by the real time; null for what is counted
 * @param members those of its kind, as values of JSON
 */
record FaultTerms(
        FaultKind kind, @Nullable Integer times, @Nullable Integer seconds, Map<String, Object> members) {
    FaultTerms {
        members = new LinkedHashMap<>(members);
    }

    /** Whether a member is left out, or has this value. */
    boolean allows(String member, String value) {
        Object expected = members.get(member);
        return expected == null || expected.equals(value);
    }

    /** Whether a list is left out, or has one of these values. */
    boolean allowsOne(String member, List<String> values) {
        return !members.containsKey(member) || values.stream().anyMatch(value -> allows(member, value));
    }

    /** A member that is text; empty where it is left out or a number. */
    String text(String member) {
        return members.get(member) instanceof String text ? text : "";
    }

    /** A member that is a number; zero where it is left out or text. */
    int number(String member) {
        return members.get(member) instanceof Number number ? number.intValue() : 0;
    }

    /** A member that is a list of texts; empty where it is left out. */
    List<String> texts(String member) {
        return members.get(member) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    JsonObject json() {
        JsonObject json = JsonObject.of("kind", kind.wireName());
        members.forEach(json::with);
        return json.with("times", times).with("seconds", seconds);
    }

    /** As it is stored. */
    String stored() {
        return Json.text(json());
    }
}
