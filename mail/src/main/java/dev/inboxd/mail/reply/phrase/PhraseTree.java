package dev.inboxd.mail.reply.phrase;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A trie of phrases: finds the phrase at a place of a text in one walk, however many phrases there are. */
public final class PhraseTree {
    private final Node root = new Node();
    private final boolean backwards;

    /** @param backwards true when phrases are matched from their ends */
    public PhraseTree(boolean backwards) {
        this.backwards = backwards;
    }

    /** A matched phrase; {@code edge} is its end, or its start when it is matched from its end. */
    public record Match(int edge, int value) {}

    private static final class Node {
        private final Map<Character, Node> next = new HashMap<>(2);
        private int value;
    }

    /** Adds a folded phrase; the values of equal phrases are combined with a bitwise or. */
    public void add(String phrase, int value) {
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
    public Match longest(String folded, int at) {
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
    public boolean isWhole(String folded) {
        Match match = longest(folded, backwards ? folded.length() : 0);
        return match != null && match.edge() == (backwards ? 0 : folded.length());
    }

    /** Whether the text contains a phrase, from the beginning of a word to the end of one. */
    public boolean isWithin(String folded) {
        for (int i = 0; i < folded.length(); i++) {
            if (root.next.containsKey(folded.charAt(i)) && isEdge(folded, i) && longest(folded, i) != null) {
                return true;
            }
        }
        return false;
    }

    /** How many words of the text begin a phrase that has one of these bits in its value, counted once a place. */
    public int wordsFrom(String folded, int bits) {
        int count = 0;
        for (int i = 0; i < folded.length(); i++) {
            if (root.next.containsKey(folded.charAt(i)) && isEdge(folded, i) && isBegun(folded, i, bits)) {
                count++;
            }
        }
        return count;
    }

    private boolean isBegun(String folded, int at, int bits) {
        Node node = root;
        for (int i = at; i < folded.length(); i++) {
            node = node.next.get(folded.charAt(i));
            if (node == null) {
                return false;
            }
            if ((node.value & bits) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a word boundary is possible: letters of scripts without spaces are never inside a word. */
    public static boolean isEdge(String text, int i) {
        return i <= 0 || i >= text.length() || !isWord(text.charAt(i - 1)) || !isWord(text.charAt(i));
    }

    private static boolean isWord(char c) {
        return Character.isLetter(c) && (c < 0x0E00 || (c >= 0x1E00 && c < 0x2E80));
    }
}
