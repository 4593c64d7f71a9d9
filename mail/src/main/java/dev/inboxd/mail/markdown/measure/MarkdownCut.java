package dev.inboxd.mail.markdown.measure;

import com.ibm.icu.text.BreakIterator;
import com.ibm.icu.util.ULocale;

/** Finds where text without ends of lines and spaces is cut (markdown.md §5). */
public final class MarkdownCut {
    private MarkdownCut() {}

    /**
     * The place of a cut: the bound, unless it is within a link's target, a grapheme cluster (Unicode UAX 29) or an
     * escaped character; then before that. Where nothing would be left, it is the bound.
     *
     * @param text goes on by a character behind the bound
     * @param bound above 0
     * @param target where the target begins that the bound is within; -1 for none
     */
    public static int before(CharSequence text, int bound, int target) {
        if (bound == 0) {
            return 0;
        }
        int place = target > 0 ? target : bound;
        BreakIterator clusters = BreakIterator.getCharacterInstance(ULocale.ROOT);
        clusters.setText(text);
        if (!clusters.isBoundary(place)) {
            place = clusters.preceding(place);
        }
        if (isEscape(text, place)) {
            place--;
        }
        return place > 0 ? place : bound;
    }

    private static boolean isEscape(CharSequence text, int place) {
        int backslashes = 0;
        while (backslashes < place && text.charAt(place - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1 && "\\`*_{}[]()<>#+-.!|~=&:\"'".indexOf(text.charAt(place)) >= 0;
    }
}
