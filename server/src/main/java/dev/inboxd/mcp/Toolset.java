package dev.inboxd.mcp;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A group of tools that a client may choose in the address of the protocol (mcp.md §2). */
enum Toolset {
    MAIL,
    DRAFTS,
    CALENDAR,
    APPS,
    ADMIN,
    /** Listed only where it is named: one agent alone needs no claims. */
    CLAIMS;

    /** The word for it in the address. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The set of that word, or null. */
    static @Nullable Toolset of(String word) {
        return Arrays.stream(values())
                .filter(set -> set.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /** All words. */
    static String words() {
        return Arrays.stream(values()).map(Toolset::word).collect(Collectors.joining(", "));
    }
}
