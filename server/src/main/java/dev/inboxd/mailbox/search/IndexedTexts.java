package dev.inboxd.mailbox.search;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The indexed texts of the hits of a page, read a few at a time: each may have 100,000 characters. Asked for in the
 * order of the hits, it reads each once.
 */
final class IndexedTexts {
    private static final int TOGETHER = 8;

    private final SearchSql sql;
    private final List<UUID> messages;
    private Map<UUID, String> texts = Map.of();
    private int read;

    IndexedTexts(SearchSql sql, List<UUID> messages) {
        this.sql = sql;
        this.messages = messages;
    }

    /** The text of a hit, empty when it has none. */
    String of(UUID message) {
        while (read < messages.size() && messages.indexOf(message) >= read) {
            int end = Math.min(messages.size(), read + TOGETHER);
            texts = sql.texts(messages.subList(read, end));
            read = end;
        }
        return texts.getOrDefault(message, "");
    }
}
