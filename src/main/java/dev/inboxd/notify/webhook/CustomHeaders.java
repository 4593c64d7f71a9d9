package dev.inboxd.notify.webhook;

import dev.inboxd.net.RequestHeader;
import dev.inboxd.platform.json.Json;
import dev.inboxd.platform.json.JsonBody;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Header fields that the owner of a webhook wants with every delivery (events.md §1.5). The values are
 * write-only: sealed at rest, sent, and never shown again.
 *
 * @param fields names in their spelling to values
 */
record CustomHeaders(Map<String, String> fields) {
    static final CustomHeaders NONE = new CustomHeaders(Map.of());

    private static final int MOST = 20;
    private static final int LARGEST = 16 * 1024;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_VALUE = 4096;
    /** Framing (RFC 9110 §7, RFC 9112 §6) and what is ours to say. */
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

    CustomHeaders {
        fields = new LinkedHashMap<>(fields);
    }

    /** Reads the member {@code headers}; what is wrong is noted in the body. */
    static CustomHeaders read(JsonBody body) {
        Map<String, String> given = body.stringMap("headers");
        if (given == null) {
            return NONE;
        }
        if (given.isEmpty()) {
            body.fault("headers", "headers has at least one entry when it is given");
        }
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Map<String, String> fields = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : given.entrySet()) {
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

    /** What is wrong with all of them together, or null. */
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

    /** The text that is sealed and stored, or null when there is none. */
    byte @Nullable [] stored() {
        return fields.isEmpty() ? null : Json.write(fields);
    }

    /** What a stored text says; null is none. */
    @SuppressWarnings("unchecked")
    static CustomHeaders of(byte @Nullable [] stored) {
        return stored == null
                ? NONE
                : new CustomHeaders((Map<String, String>) Objects.requireNonNull(Json.parse(stored)));
    }

    /** As they are sent. */
    List<RequestHeader> sent() {
        return fields.entrySet().stream()
                .map(field -> new RequestHeader(field.getKey(), field.getValue()))
                .toList();
    }

    /** The names alone: values are usually secrets. */
    @Override
    public String toString() {
        return fields.keySet().toString();
    }
}
