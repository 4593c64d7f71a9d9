package dev.inboxd.mail.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A received message, for display.
 *
 * @param headers all fields in order, at most 1,000 and 100 KiB, and of those behind the ones that a reader needs
 * @param subject decoded; null when absent
 * @param date the Date field; null when absent or malformed
 * @param addresses authors and recipients
 * @param identification the message's id, and those of the messages that it answers
 * @param body texts and attachments
 * @param defects limits, repairs and ambiguities
 */
public record ParsedMessage(
        List<HeaderField> headers,
        @Nullable String subject,
        @Nullable Instant date,
        AddressFields addresses,
        Identification identification,
        Body body,
        Set<Defect> defects) {
    private static final int MAX_HEADER_MAP = 64 * 1024;

    public ParsedMessage {
        headers = List.copyOf(headers);
        defects = Collections.unmodifiableSet(defects);
    }

    /** Whether a limit was reached, so that part of the message is not shown. */
    public boolean isPartial() {
        return defects.stream().anyMatch(Defect::isPartial);
    }

    /**
     * The fields by name, in the spelling of the first one; values of repeated fields are joined with {@code ", "}.
     *
     * @return null when names and values together are longer than 64 KiB
     */
    public @Nullable Map<String, String> headerMap() {
        var spelling = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        var values = new LinkedHashMap<String, StringBuilder>();
        int size = 0;
        for (var field : headers) {
            var name = spelling.computeIfAbsent(field.name(), first -> first);
            var value = values.get(name);
            if (value == null) {
                values.put(name, new StringBuilder(field.value()));
                size += name.length();
            } else {
                value.append(", ").append(field.value());
            }
            size += octets(field.value());
        }
        if (size > MAX_HEADER_MAP) {
            return null;
        }
        var map = new LinkedHashMap<String, String>();
        values.forEach((name, value) -> map.put(name, value.toString()));
        return Collections.unmodifiableMap(map);
    }

    private static int octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
