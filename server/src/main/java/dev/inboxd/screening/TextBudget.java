package dev.inboxd.screening;

import org.jspecify.annotations.Nullable;

/** How many octets of the texts of a mail may still be taken, in UTF-8. */
final class TextBudget {
    private int left;

    TextBudget(int octets) {
        this.left = octets;
    }

    /** The beginning of a text for which there is room, without half a character at its end. */
    @Nullable
    String take(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int at = 0;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            int octets = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (octets > left) {
                return text.substring(0, at);
            }
            left -= octets;
            at += Character.charCount(character);
        }
        return text;
    }
}
