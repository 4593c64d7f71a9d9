package dev.inboxd.mail.reply;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Phrases that are found at a place of a text in one walk, however many there are. */
final class PhraseTree {
    private final Node root = new Node();
    private final boolean backwards;

    /** @param backwards true when phrases are looked up by their ends */
    PhraseTree(boolean backwards) {
        this.backwards = backwards;
    }

    /** A phrase that was found; {@code edge} is where it ends, or begins when looked up by its end. */
    record Match(int edge, int value) {}

    private static final class Node {
        private final Map<Character, Node> next = new HashMap<>(2);
        private int value;
    }

    /** Adds a folded phrase; values of equal phrases are united bit by bit. */
    void add(String phrase, int value) {
        Node node = root;
        for (int i = 0; i < phrase.length(); i++) {
            char c = phrase.charAt(backwards ? phrase.length() - 1 - i : i);
            node = node.next.computeIfAbsent(c, _ -> new Node());
        }
        node.value |= value;
    }

    /**
     * The longest phrase that begins (or, backwards, ends) at a place, and does not end (or begin) within a word.
     *
     * @param at the index of its first character, or, backwards, the index after its last
     */
    @Nullable
    Match longest(String folded, int at) {
        Match best = null;
        Node node = root;
        int i = at;
        while (backwards ? i > 0 : i < folded.length()) {
            node = node.next.get(folded.charAt(backwards ? i - 1 : i));
            if (node == null) {
                break;
            }
            i += backwards ? -1 : 1;
            if (node.value != 0 && isEdge(folded, i)) {
                best = new Match(i, node.value);
            }
        }
        return best;
    }

    /** Whether the text is a phrase. */
    boolean isWhole(String folded) {
        Match match = longest(folded, backwards ? folded.length() : 0);
        return match != null && match.edge() == (backwards ? 0 : folded.length());
    }

    /** Whether a phrase stands anywhere in the text, from the beginning of a word to the end of one. */
    boolean isWithin(String folded) {
        for (int i = 0; i < folded.length(); i++) {
            if (root.next.containsKey(folded.charAt(i)) && isEdge(folded, i) && longest(folded, i) != null) {
                return true;
            }
        }
        return false;
    }

    /** Letters of scripts that put no spaces between words are never within one. */
    static boolean isEdge(String text, int i) {
        return i <= 0 || i >= text.length() || !isWord(text.charAt(i - 1)) || !isWord(text.charAt(i));
    }

    private static boolean isWord(char c) {
        return Character.isLetter(c) && (c < 0x0E00 || (c >= 0x1E00 && c < 0x2E80));
    }
}
