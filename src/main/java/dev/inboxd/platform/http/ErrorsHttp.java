package dev.inboxd.platform.http;

import dev.inboxd.platform.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The page that the {@code docs} member of every error links to: each code with its status, meaning and remedy. */
public final class ErrorsHttp {
    /** Path of the page, below the public URL. */
    static final String PATH = "/docs/errors";

    private static final HtmlPage PAGE = page();

    private ErrorsHttp() {}

    /** Mounts the page; it needs no key. */
    public static void mount(Routes root) {
        root.page(PATH, _ -> PAGE.response());
    }

    private static HtmlPage page() {
        HtmlPage page = HtmlPage.titled("Errors of inboxd")
                .paragraph("Every error has a code, which clients branch on, and a message and perhaps a fix for this"
                        + " very case.")
                .html("<dl>\n");
        Map<String, String> words = words();
        for (ErrorCode code : ErrorCode.values()) {
            String name = code.wireName();
            page.html("<dt id=\"" + name + "\"><code>" + name + "</code> (HTTP " + code.status() + ")<dd>")
                    .text(Stream.of(words.get(name), code.fix())
                            .filter(Objects::nonNull)
                            .reduce((meaning, fix) -> meaning + " " + fix)
                            .orElse(code.legacyName()))
                    .html("\n");
        }
        return page.html("</dl>\n");
    }

    /** What each code means, by code. */
    static Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        try (InputStream in = Objects.requireNonNull(ErrorsHttp.class.getResourceAsStream("errors.txt"))) {
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
