package dev.inboxd.server;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces what differs from world to world, each value by the order in which it first appeared. */
final class Masks {
    private final String inbox;
    private final Instant began;
    private final Map<String, String> known = new LinkedHashMap<>();

    /**
     * Masks of one world.
     *
     * @param inbox an address that is another one in the other world
     * @param began times count from here, in hours
     */
    Masks(String inbox, Instant began) {
        this.inbox = inbox;
        this.began = began;
    }

    String apply(HttpProbe.Answer answer) {
        return Json.text(masked("", answer.at("")));
    }

    private @Nullable Object masked(String name, @Nullable Object value) {
        return switch (value) {
            case Map<?, ?> object -> {
                Map<String, @Nullable Object> masked = new LinkedHashMap<>();
                object.forEach((key, member) -> {
                    if (!"used_at".equals(key)) { // written a few seconds after the use
                        masked.put(String.valueOf(key), masked(String.valueOf(key), member));
                    }
                });
                yield masked;
            }
            case List<?> list ->
                list.stream().<@Nullable Object>map(item -> masked(name, item)).toList();
            case String text -> text(name, text);
            case null, default -> value;
        };
    }

    private String text(String name, String text) {
        return switch (name) {
            case "next_page_token", "next_cursor" -> "a token";
            case "download_url", "text_url" -> "a link"; // another one each second
            case "Received", "DKIM-Signature", "Date" -> "trace";
            case "labels", "label", "subject", "text" -> text;
            case "timestamp",
                    "received_timestamp",
                    "sent_timestamp",
                    "created_at",
                    "updated_at",
                    "event_at",
                    "expires_at" ->
                "hour " + Duration.between(began, Instant.parse(text)).toHours();
            default -> known.computeIfAbsent(text.replace(inbox, "own"), _ -> "value " + known.size());
        };
    }
}
