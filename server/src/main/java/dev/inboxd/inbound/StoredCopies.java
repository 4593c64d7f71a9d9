package dev.inboxd.inbound;

import dev.inboxd.mailbox.message.Message;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The copies of one message that were stored, each by its inbox; one that an inbox had already is not among them. */
public final class StoredCopies {
    private final Map<UUID, Message> byInbox = new ConcurrentHashMap<>();

    void add(UUID inbox, Message message) {
        byInbox.put(inbox, message);
    }

    boolean isEmpty() {
        return byInbox.isEmpty();
    }

    /** The copy of an inbox; empty when it was dropped. */
    public Optional<Message> in(UUID inbox) {
        return Optional.ofNullable(byInbox.get(inbox));
    }
}
