package dev.inboxd.notify.webhook;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A requested change of a webhook's header fields (events.md §1.5). All of it is applied, or none.
 *
 * @param removed header names to remove, in any case
 */
public record HeaderChange(CustomHeaders set, List<String> removed) {
    private static final int MOST_REMOVED = 100;

    public HeaderChange {
        removed = List.copyOf(removed);
    }

    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with everything that is wrong
     */
    public static HeaderChange read(JsonBody body) {
        CustomHeaders set = CustomHeaders.read(body);
        List<String> removed = body.strings("remove_headers").most(MOST_REMOVED).list();
        if (body.has("remove_headers") && removed.isEmpty()) {
            body.fault("remove_headers", "remove_headers names at least one header when it is given");
        }
        if (!body.has("headers") && !body.has("remove_headers")) {
            body.fault("headers", "Give headers, remove_headers or both");
        }
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(set.fields().keySet());
        removed.stream()
                .filter(names::contains)
                .forEach(name -> body.fault("remove_headers", "The header " + name + " is set and removed"));
        body.check();
        return new HeaderChange(set, removed);
    }

    /**
     * The fields after the change. A field that is set again takes its new spelling; removing an absent field is no
     * error.
     *
     * @throws Problem {@code validation_error} when they are too many or too large together
     */
    public CustomHeaders appliedTo(CustomHeaders before) {
        Set<String> dropped = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        dropped.addAll(removed);
        dropped.addAll(set.fields().keySet());
        Map<String, String> fields = new LinkedHashMap<>(before.fields());
        fields.keySet().removeIf(dropped::contains);
        fields.putAll(set.fields());
        CustomHeaders after = new CustomHeaders(fields);
        String tooMuch = after.tooMuch();
        if (tooMuch != null) {
            throw Problem.invalid("headers", tooMuch);
        }
        return after;
    }
}
