package dev.inboxd.mail.address;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Where the comments of a field end. Comments nest (RFC 5322 §3.2.2). Brackets that never close are noted at the first
 * look, so that no number of them costs more than one look at the field.
 */
final class CommentEnds {
    private final String text;
    private final BitSet unclosed = new BitSet();

    CommentEnds(String text) {
        this.text = text;
    }

    /** Whether the bracket is known to begin no comment. */
    boolean isUnclosed(int bracket) {
        return unclosed.get(bracket);
    }

    /**
     * The end of the comment that an opening bracket begins.
     *
     * @return -1 when it never closes
     */
    int of(int bracket) {
        int[] open = new int[8];
        int depth = 0;
        for (int i = bracket; i < text.length() && !isUnclosed(bracket); i++) {
            char c = text.charAt(i);
            int word = c == '=' && text.startsWith("=?", i) ? EncodedWord.end(text, i) : -1;
            if (word > 0) {
                i = word - 1; // its brackets are text (ruling 132)
            } else if (c == '\\') {
                i++;
            } else if (c == '(') {
                open = depth == open.length ? Arrays.copyOf(open, 2 * depth) : open;
                open[depth++] = i;
            } else if (c == ')' && --depth == 0) {
                return i + 1;
            }
        }
        Arrays.stream(open, 0, depth).forEach(unclosed::set);
        return -1;
    }
}
