package dev.inboxd.sending.trace;

import dev.inboxd.base.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields that this server wrote on top of a received message: Return-Path, Authentication-Results and Received
 * (RFC 5321 §4.4, RFC 8601 §4.1). What stands below them is the client's, and is not read.
 */
final class TopFields {
    private static final int MOST = 16 * 1024;
    /** Digits of a time in milliseconds to the base 36, from 1972 to 2059. */
    private static final int ID_TIME = 8;

    private TopFields() {}

    /** The fields down to the first Received, by their names. */
    static JsonObject read(InputStream message) {
        try (message) {
            String head = new String(message.readNBytes(MOST), StandardCharsets.ISO_8859_1);
            JsonObject fields = new JsonObject();
            for (String field : unfolded(head)) {
                int colon = field.indexOf(':');
                String name = colon < 0 ? "" : field.substring(0, colon).toLowerCase(Locale.ROOT);
                if (!List.of("return-path", "authentication-results", "received")
                        .contains(name)) {
                    break;
                }
                fields.with(name.replace('-', '_'), field.substring(colon + 1).strip());
                if (name.equals("received")) {
                    session(fields, field.substring(colon + 1).strip());
                    break;
                }
            }
            return fields;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * What the field Received says of the session. The id in it begins with the millisecond at which the data began;
     * another server's does not, and then the date of the field is that time.
     */
    private static void session(JsonObject fields, String received) {
        int by = received.indexOf(" by ");
        if (by < 0 || !received.startsWith("from ")) {
            return; // submitted here: it says nothing of its client
        }
        fields.with("client", received.substring("from ".length(), by));
        fields.with("tls", word(received, " with ").endsWith("S"));
        Instant date = date(received);
        if (date != null) {
            Instant exact = millisecond(word(received, " id "));
            boolean fits = exact != null && exact.getEpochSecond() == date.getEpochSecond();
            fields.with("began_at", fits ? exact : date);
        }
    }

    private static String word(String received, String before) {
        int start = received.indexOf(before) + before.length();
        if (start < before.length()) {
            return "";
        }
        int end = start;
        while (end < received.length() && received.charAt(end) > ' ' && received.charAt(end) != ';') {
            end++;
        }
        return received.substring(start, end);
    }

    private static @Nullable Instant date(String received) {
        try {
            String text = received.substring(received.lastIndexOf(';') + 1).strip();
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
        } catch (DateTimeException malformed) {
            return null;
        }
    }

    private static @Nullable Instant millisecond(String id) {
        try {
            return id.length() < ID_TIME ? null : Instant.ofEpochMilli(Long.parseLong(id.substring(0, ID_TIME), 36));
        } catch (NumberFormatException malformed) {
            return null;
        }
    }

    private static List<String> unfolded(String head) {
        List<String> fields = new ArrayList<>();
        for (String line : head.split("\r\n", -1)) {
            if (line.isEmpty()) {
                break;
            }
            if (!fields.isEmpty() && (line.charAt(0) == ' ' || line.charAt(0) == '\t')) {
                fields.add(fields.removeLast() + " " + line.strip());
            } else {
                fields.add(line);
            }
        }
        return fields;
    }
}
