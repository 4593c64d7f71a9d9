package dev.inboxd.tenant.list;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The direction of the mail that a list applies to. */
public enum Direction {
    /** Sent mail; entries are recipients. */
    SEND,
    /** Received mail that is no reply; entries are senders. */
    RECEIVE,
    /** Received mail that replies to mail of the inbox; entries are senders. */
    REPLY;

    /** The word on the wire and in the row. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The direction of that word, or null. */
    static @Nullable Direction ofWire(String word) {
        for (Direction direction : values()) {
            if (direction.wireName().equals(word)) {
                return direction;
            }
        }
        return null;
    }
}
