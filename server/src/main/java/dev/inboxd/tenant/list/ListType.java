package dev.inboxd.tenant.list;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The meaning of an entry. */
public enum ListType {
    /** Accepted; a list with at least one entry refuses all others. */
    ALLOW,
    /** Refused. */
    BLOCK;

    /** The word on the wire and in the row. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type of that word, or null. */
    static @Nullable ListType ofWire(String word) {
        for (ListType type : values()) {
            if (type.wireName().equals(word)) {
                return type;
            }
        }
        return null;
    }
}
