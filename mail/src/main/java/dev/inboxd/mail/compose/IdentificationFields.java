package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The identification fields (RFC 5322 §3.6.4). */
final class IdentificationFields {
    private static final int MAX = 900; // fits on one line of 998 after any field name
    private static final int MAX_REFERENCES = 50;

    private IdentificationFields() {}

    /** Checks the message's own id, which must be {@code <left@right>}. */
    static String own(String id) {
        SafeText.header("message_id", id);
        if (!isId(id) || id.indexOf('@') < 2) {
            throw new MalformedFieldException("message_id", "is not of the form <left@right>");
        }
        return id;
    }

    /**
     * Foreign ids as their senders wrote them, perhaps with spaces or characters beyond ASCII, without those that are
     * not possible in a field.
     */
    static List<String> others(String field, List<String> ids) {
        ids.forEach(id -> SafeText.header(field, id));
        return ids.stream().filter(id -> isId(id) || isForeign(id)).distinct().toList();
    }

    private static boolean isForeign(String id) {
        return id.startsWith("<")
                && id.endsWith(">")
                && id.length() > 2
                && id.getBytes(StandardCharsets.UTF_8).length <= MAX
                && id.chars().skip(1).limit(id.length() - 2).noneMatch(c -> c < ' ' || c == 0x7f || isBracket(c));
    }

    private static boolean isBracket(int c) {
        return c == '<' || c == '>';
    }

    /** The first id, which identifies the conversation, and the last 49. */
    static List<String> trimmed(List<String> ids) {
        if (ids.size() <= MAX_REFERENCES) {
            return ids;
        }
        var references = new ArrayList<>(ids.subList(ids.size() - MAX_REFERENCES + 1, ids.size()));
        references.addFirst(ids.getFirst());
        return references;
    }

    private static boolean isId(String id) {
        return id.length() <= MAX
                && id.startsWith("<")
                && id.endsWith(">")
                && isIdText(id.substring(1, id.length() - 1));
    }

    /** Whether the text is visible ASCII without angle brackets, at least one character. */
    static boolean isIdText(String text) {
        return !text.isEmpty()
                && text.length() <= MAX
                && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '<' && c != '>');
    }
}
