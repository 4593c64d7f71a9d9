package dev.inboxd.backup;

import dev.inboxd.base.database.copy.RowChunk;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Long lists in a store: a page has so many lines of JSON, and lies under the digest of its text. */
final class StoredList {
    private static final int LINES = 1_000;

    private final BackupStore store;
    private final List<String> pages = new ArrayList<>();
    private final StringBuilder page = new StringBuilder();
    private int lines;
    private long written;

    StoredList(BackupStore store) {
        this.store = store;
    }

    /** Adds a line. */
    void add(JsonObject entry) {
        page.append(Json.text(entry)).append('\n');
        lines++;
        if (lines == LINES) {
            flush();
        }
    }

    /** Stores what is left; the digests of all pages. */
    List<String> end() {
        if (lines > 0) {
            flush();
        }
        return List.copyOf(pages);
    }

    /** How many octets were written. */
    long written() {
        return written;
    }

    private void flush() {
        byte[] text = page.toString().getBytes(StandardCharsets.UTF_8);
        String sha256 = RowChunk.sha256(text);
        written += store.put(sha256, text).written();
        pages.add(sha256);
        page.setLength(0);
        lines = 0;
    }

    /** Reads the lines of a page. */
    static void forEachEntry(BackupStore store, String page, Consumer<Map<?, ?>> sink) {
        new String(store.content(page), StandardCharsets.UTF_8).lines().forEach(line -> {
            if (!(Json.stored(line) instanceof Map<?, ?> entry)) {
                throw new DamagedException("The backup is damaged: a list in it has something else than entries.");
            }
            sink.accept(entry);
        });
    }
}
