package dev.inboxd.platform.database;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@code text[]} written as one text, for statements that insert many rows at once: {@code unnest} takes one array
 * per column, and PostgreSQL has no arrays of arrays of different lengths. The statement casts it back with {@code
 * ::text[]}.
 */
public final class TextArray {
    private TextArray() {}

    /** The array's text form, every element quoted; null stays null. */
    public static @Nullable String literal(@Nullable List<String> elements) {
        if (elements == null) {
            return null;
        }
        StringBuilder literal = new StringBuilder("{");
        for (String element : elements) {
            literal.append(literal.length() == 1 ? "\"" : ",\"");
            for (int i = 0; i < element.length(); i++) {
                char c = element.charAt(i);
                if (c == '"' || c == '\\') {
                    literal.append('\\');
                }
                literal.append(c);
            }
            literal.append('"');
        }
        return literal.append('}').toString();
    }
}
