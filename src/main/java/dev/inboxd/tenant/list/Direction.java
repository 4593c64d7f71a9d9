package dev.inboxd.tenant.list;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which mail a list is about. */
public enum Direction {
    /** Mail that leaves; entries are about recipients. */
    SEND,
    /** Mail that arrives and answers nothing; entries are about senders. */
    RECEIVE,
    /** Mail that answers what the inbox sent; entries are about senders. */
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
