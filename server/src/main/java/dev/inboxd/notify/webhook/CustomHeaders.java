package dev.inboxd.notify.webhook;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.net.RequestHeader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Header fields that the owner of a webhook adds to every delivery (events.md §1.5). The values are write-only: they
 * are sealed at rest, sent with each delivery, and never shown again.
 *
 * @param fields header names, spelled as given, and their values
 */
public record CustomHeaders(Map<String, String> fields) {
    static final CustomHeaders NONE = new CustomHeaders(Map.of());

    private static final int MOST = 20;
    private static final int LARGEST = 16 * 1024;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_VALUE = 4096;
    /**
     * Header names that a webhook's owner cannot set: message framing (RFC 9110 §7, RFC 9112 §6) and fields that this
     * service sets itself.
     */
    private static final Set<String> RESERVED = Set.of(
            "host",
            "content-length",
            "content-type",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "user-agent");

    private static final List<String> RESERVED_PREFIXES = List.of("proxy-", "svix-", "webhook-");

    public CustomHeaders {
        fields = new LinkedHashMap<>(fields);
    }

    /** Reads the member {@code headers} of a request; faults are collected in the body. */
    public static CustomHeaders read(JsonBody body) {
        Map<String, String> members = body.stringMap("headers");
        if (members == null) {
            return NONE;
        }
        if (members.isEmpty()) {
            body.fault("headers", "headers has at least one entry when it is given");
        }
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Map<String, String> fields = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : members.entrySet()) {
            String value = entry.getValue().strip();
            String fault = names.add(entry.getKey()) ? whyNot(entry.getKey(), value) : "is given in two spellings";
            if (fault != null) {
                body.fault("headers", "The header " + entry.getKey() + " " + fault);
            }
            fields.put(entry.getKey(), value);
        }
        CustomHeaders headers = new CustomHeaders(fields);
        String tooMuch = headers.tooMuch();
        if (tooMuch != null) {
            body.fault("headers", tooMuch);
        }
        return headers;
    }

    /** Why these fields are too many or too large together, or null when they fit. */
    @Nullable
    String tooMuch() {
        int size = fields.entrySet().stream()
                .mapToInt(field -> field.getKey().length() + field.getValue().length())
                .sum();
        if (fields.size() > MOST) {
            return "A webhook has at most " + MOST + " headers";
        }
        return size > LARGEST ? "The headers have at most " + LARGEST + " characters in all" : null;
    }

    private static @Nullable String whyNot(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (name.length() > LONGEST_NAME || !RequestHeader.isName(name)) {
            return "is not a header name of at most " + LONGEST_NAME + " characters";
        }
        if (RESERVED.contains(lower) || RESERVED_PREFIXES.stream().anyMatch(lower::startsWith)) {
            return "is reserved";
        }
        if (value.isEmpty() || value.length() > LONGEST_VALUE || !RequestHeader.isValue(value)) {
            return "must have 1 to " + LONGEST_VALUE + " visible ASCII characters";
        }
        return null;
    }

    /** The JSON text to seal and store, or null without fields. */
    byte @Nullable [] stored() {
        return fields.isEmpty() ? null : Json.write(fields);
    }

    /** Reads the stored JSON text; null stands for no fields. */
    @SuppressWarnings("unchecked")
    static CustomHeaders of(byte @Nullable [] stored) {
        return stored == null
                ? NONE
                : new CustomHeaders((Map<String, String>) Objects.requireNonNull(Json.parse(stored)));
    }

    /** The fields as they are added to a request. */
    List<RequestHeader> sent() {
        return fields.entrySet().stream()
                .map(field -> new RequestHeader(field.getKey(), field.getValue()))
                .toList();
    }

    /** Only the names: values are usually secrets. */
    @Override
    public String toString() {
        return fields.keySet().toString();
    }
}
