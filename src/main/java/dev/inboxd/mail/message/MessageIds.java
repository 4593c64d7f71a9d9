package dev.inboxd.mail.message;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the ids in identification fields (RFC 5322 §3.6.4): any text in angle brackets without a space. */
final class MessageIds {
    /** RFC 5322 §2.1.1: no line is longer, so no id is. */
    private static final int MAX_LENGTH = 998;

    private static final int MAX_REFERENCES = 50;

    private MessageIds() {}

    /** The first id of a field, or null when it is missing, malformed or too long. */
    static @Nullable String first(String text) {
        int start = text.indexOf('<');
        return start < 0 ? null : id(text, start);
    }

    /** All ids of a field in order; of more than 50 the first and the last 49. */
    static List<String> all(String text) {
        var ids = new ArrayList<String>();
        for (int start = text.indexOf('<'); start >= 0; start = text.indexOf('<', start + 1)) {
            var id = id(text, start);
            if (id != null) {
                ids.add(id);
                start += id.length() - 1;
            }
        }
        if (ids.size() > MAX_REFERENCES) {
            ids.subList(1, ids.size() - MAX_REFERENCES + 1).clear();
        }
        return List.copyOf(ids);
    }

    private static @Nullable String id(String text, int start) {
        int max = Math.min(text.length(), start + MAX_LENGTH);
        for (int i = start + 1; i < max; i++) {
            char c = text.charAt(i);
            if (c == '>') {
                return i == start + 1 ? null : text.substring(start, i + 1);
            }
            if (c <= ' ' || c == '<' || c >= 0x7F) { // RFC 5322 §3.6.4: ASCII atoms
                return null;
            }
        }
        return null;
    }
}
