package dev.inboxd.base.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What each error code means, for the page that the {@code docs} member of every error links to. */
public final class ErrorWords {
    /** Path of the page, below the public URL. */
    public static final String PATH = "/docs/errors";

    private ErrorWords() {}

    /** The meaning of each code, by code. */
    public static Map<String, String> all() {
        Map<String, String> words = new LinkedHashMap<>();
        try (InputStream in = Objects.requireNonNull(ErrorWords.class.getResourceAsStream("errors.txt"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> words.put(
                            line.substring(0, line.indexOf(':')),
                            line.substring(line.indexOf(':') + 1).strip()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return words;
    }
}
