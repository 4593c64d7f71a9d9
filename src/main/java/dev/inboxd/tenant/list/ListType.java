package dev.inboxd.tenant.list;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What it means to be on a list. */
public enum ListType {
    /** Welcome; and as soon as there is one entry, nobody else is. */
    ALLOW,
    /** Unwelcome. */
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
