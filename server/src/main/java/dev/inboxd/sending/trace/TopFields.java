package dev.inboxd.sending.trace;

import dev.inboxd.base.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The fields that this server wrote on top of a received message: Return-Path, Authentication-Results and Received
 * (RFC 5321 §4.4, RFC 8601 §4.1). What stands below them is the client's, and is not read.
 */
final class TopFields {
    private static final int MOST = 16 * 1024;

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
                    break;
                }
            }
            return fields;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
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
