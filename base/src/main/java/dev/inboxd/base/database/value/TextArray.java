package dev.inboxd.base.database.value;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@code text[]} written as one text, for statements over many rows at once: {@code unnest} takes one array per
 * column, and PostgreSQL has no arrays of arrays of different lengths. A cast would read such a text again, but a cast
 * from text is not immutable, and a cluster refuses it in an update.
 */
public final class TextArray {
    private static final int FIRST = 0xE000;
    private static final int LAST = 0xF8FF;
    private static final int SUPPLEMENTARY = 0xF0000;

    private TextArray() {}

    /** The elements, each behind a separator that is in none of them; null stays null. */
    public static @Nullable String packed(@Nullable List<?> elements) {
        if (elements == null) {
            return null;
        }
        String separator = separator(elements);
        StringBuilder packed = new StringBuilder();
        elements.forEach(element -> packed.append(separator).append(Objects.requireNonNull(element)));
        return packed.toString();
    }

    /** The SQL that makes the array of a packed text again. */
    public static String unpacked(String column) {
        return "(string_to_array(" + column + ", left(" + column + ", 1)))[2:]";
    }

    /** A character for private use that is in no element; there are more of them than a row has characters. */
    private static String separator(List<?> elements) {
        for (int c = FIRST; c < Character.MAX_CODE_POINT; c = c == LAST ? SUPPLEMENTARY : c + 1) {
            String separator = Character.toString(c);
            if (elements.stream().noneMatch(element -> String.valueOf(element).contains(separator))) {
                return separator;
            }
        }
        throw new IllegalArgumentException("Every character is in use");
    }
}
