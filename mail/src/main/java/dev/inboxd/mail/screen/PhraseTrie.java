package dev.inboxd.mail.screen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A trie of phrases by character, in one table: finds all phrases that begin at a place in one short walk, however many
 * there are. Each phrase stands for one or several concepts.
 */
final class PhraseTrie {
    private static final int MAX_NODES = 1 << 16;
    private static final int MAX_GAP = 3;
    private static final int ASCII = 128;
    private static final int[] NONE = {};
    private static final char SINGLE = MAX_NODES - 1;

    /** Each entry a node and a character in the upper half, and the node that they lead to; 0 is free. */
    private long[] steps = new long[1 << 12];

    private int count = 1;
    /** The nodes of two first ASCII characters, where no phrase ends with the first one. */
    private final char[] pairs = new char[ASCII * ASCII];

    private char[] values = new char[1 << 10];
    private final List<Meaning> meanings = new ArrayList<>(List.of(new Meaning(NONE, NONE)));

    /** The concepts of a phrase that ends with its word, and of one whose last word may go on. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Meaning(int[] complete, int[] beginning) {}

    /** Told of each phrase that begins at the place. */
    interface Visitor {
        /**
         * Gets a phrase.
         *
         * @param concepts what the phrase stands for
         * @param end the index behind its last character
         */
        void phrase(int[] concepts, int end);
    }

    /**
     * Adds a phrase.
     *
     * @param phrase folded, with single spaces; a last {@code *} lets the last word go on
     */
    void add(String phrase, int concept) {
        boolean beginning = phrase.endsWith("*");
        int node = 0;
        for (int i = 0; i < phrase.length() - (beginning ? 1 : 0); i++) {
            int next = next(node, phrase.charAt(i));
            node = next > 0 ? next : insert(node, phrase.charAt(i));
        }
        Meaning meaning = meanings.get(values[node]);
        values[node] = (char) meanings.size();
        meanings.add(
                beginning
                        ? new Meaning(meaning.complete, with(meaning.beginning, concept))
                        : new Meaning(with(meaning.complete, concept), meaning.beginning));
    }

    private static int[] with(int[] concepts, int concept) {
        int[] more = Arrays.copyOf(concepts, concepts.length + 1);
        more[concepts.length] = concept;
        return more;
    }

    private int insert(int node, char c) {
        if (count >= MAX_NODES - 1) {
            throw new IllegalStateException("too many phrases");
        }
        if (count * 3 >= steps.length) {
            grow();
        }
        if (count >= values.length) {
            values = Arrays.copyOf(values, values.length * 2);
        }
        put(key(node, c), count);
        return count++;
    }

    private void grow() {
        long[] old = steps;
        steps = new long[old.length * 2];
        for (long step : old) {
            if (step != 0) {
                put((int) (step >>> 32), (int) step);
            }
        }
    }

    private void put(int key, int node) {
        int slot = slot(key);
        while (steps[slot] != 0) {
            slot = (slot + 1) & (steps.length - 1);
        }
        steps[slot] = (long) key << 32 | node;
    }

    private static int key(int node, char c) {
        return node << 16 | c;
    }

    private int slot(int key) {
        int mixed = key * 0x9E3779B1;
        return (mixed ^ mixed >>> 15) & (steps.length - 1);
    }

    private int next(int node, char c) {
        int key = key(node, c);
        int slot = slot(key);
        while (true) {
            long step = steps[slot];
            if (step == 0 || (int) (step >>> 32) == key) {
                return (int) step;
            }
            slot = (slot + 1) & (steps.length - 1);
        }
    }

    /**
     * Walks from a place. A space of a phrase stands for up to three characters that belong to no word.
     *
     * @param text in normal form
     */
    void visit(NormalForm text, int start, Visitor visitor) {
        int node = 0;
        int i = start;
        if (start + 1 < text.length() && text.at(start) < ASCII && text.at(start + 1) < ASCII) {
            node = pairs[text.at(start) * ASCII + text.at(start + 1)];
            if (node == 0) {
                return;
            }
            if (node == SINGLE) {
                node = 0;
            } else {
                i += 2;
                report(node, text, i, visitor);
            }
        }
        while (i < text.length()) {
            char c = text.at(i);
            int next = next(node, c);
            if (next > 0) {
                i++;
            } else {
                int gap = NormalForm.isWord(c) ? 0 : next(node, ' ');
                next = gap;
                for (int skipped = 0; gap > 0 && skipped < MAX_GAP && i < text.length(); skipped++) {
                    if (NormalForm.isWord(text.at(i))) {
                        break;
                    }
                    i++;
                }
            }
            if (next == 0) {
                return;
            }
            node = next;
            report(node, text, i, visitor);
        }
    }

    private void report(int node, NormalForm text, int end, Visitor visitor) {
        if (values[node] != 0) {
            Meaning meaning = meanings.get(values[node]);
            if (meaning.beginning.length > 0) {
                visitor.phrase(meaning.beginning, end);
            }
            if (meaning.complete.length > 0 && text.isEdge(end)) {
                visitor.phrase(meaning.complete, end);
            }
        }
    }

    /** Makes the first steps direct; called once, when all phrases are there. */
    void finish() {
        for (char first = 0; first < ASCII; first++) {
            int node = next(0, first);
            for (char second = 0; node > 0 && second < ASCII; second++) {
                boolean gap = !NormalForm.isWord(second) && next(node, ' ') > 0;
                int pair = next(node, second);
                pairs[first * ASCII + second] = values[node] != 0 || gap ? SINGLE : (char) pair;
            }
        }
    }
}
