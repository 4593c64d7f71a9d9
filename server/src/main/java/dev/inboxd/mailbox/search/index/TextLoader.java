package dev.inboxd.mailbox.search.index;

import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.content.ReadableContentCache;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageLookup;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Loads the parsed form of new messages, from the cache or from their rows. One for each batch. */
final class TextLoader {
    private final MessageContents contents;
    private final ReadableContentCache recent;
    private final Map<UUID, ReadableContent> parsed = new HashMap<>();

    TextLoader(MessageContents contents, ReadableContentCache recent) {
        this.contents = contents;
        this.recent = recent;
    }

    /** Takes a message from the cache; false when it must be read from its row. */
    boolean has(UUID message) {
        ReadableContent shown = recent.take(message);
        if (shown != null) {
            parsed.put(message, shown);
        }
        return shown != null;
    }

    /** The parsed form of a message. */
    ReadableContent readable(MessageLookup.CreatedMessage message) {
        ReadableContent cached = parsed.get(message.message().id());
        return cached != null ? cached : contents.readable(Objects.requireNonNull(message.content()));
    }
}
