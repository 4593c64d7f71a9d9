package dev.inboxd.mail.screen;

import java.util.Arrays;
import java.util.BitSet;

/** Where a text mentions concepts, in its order. */
final class ConceptMentions {
    private static final int NEAR = 5;
    private static final int LOOKED_AT = 24;

    private int[][] concepts = new int[64][];
    private int[] places = new int[3 * 64];
    private int size;
    private final BitSet all = new BitSet();
    private final BitSet sentenceEnds = new BitSet();

    /** A sentence or paragraph ends at a place of the text. */
    void endSentence(int at) {
        sentenceEnds.set(at);
    }

    /** Where the sentence begins that a place of the text belongs to. */
    int sentenceStart(int at) {
        return sentenceEnds.previousSetBit(at) + 1;
    }

    /** Where the sentence ends that a place of the text belongs to. */
    int sentenceEnd(int at) {
        int end = sentenceEnds.nextSetBit(at);
        return end < 0 ? Integer.MAX_VALUE : end;
    }

    void add(int[] what, int position, int start, int end) {
        if (size == concepts.length) {
            concepts = Arrays.copyOf(concepts, size * 2);
            places = Arrays.copyOf(places, 3 * size * 2);
        }
        concepts[size] = what;
        places[3 * size] = position;
        places[3 * size + 1] = start;
        places[3 * size + 2] = end;
        for (int concept : what) {
            all.set(concept);
        }
        size++;
    }

    /** All concepts that are mentioned. */
    BitSet all() {
        return all;
    }

    int size() {
        return size;
    }

    int[] concepts(int i) {
        return concepts[i];
    }

    /** Its place, counted in words, with a distance between sentences. */
    int position(int i) {
        return places[3 * i];
    }

    /** Where its phrase begins. */
    int start(int i) {
        return places[3 * i + 1];
    }

    /** The index behind its phrase. */
    int end(int i) {
        return places[3 * i + 2];
    }

    /** Whether a concept is mentioned there. */
    boolean is(int i, int concept) {
        for (int mentioned : concepts[i]) {
            if (mentioned == concept) {
                return true;
            }
        }
        return false;
    }

    private boolean isAmong(BitSet searched, int i) {
        for (int concept : concepts[i]) {
            if (searched.get(concept)) {
                return true;
            }
        }
        return false;
    }

    boolean overlap(int first, int second) {
        return start(first) < end(second) && start(second) < end(first);
    }

    /**
     * Whether one of some concepts is mentioned between two mentions, or a few words before or behind them in the same
     * sentence: what another sentence says changes nothing.
     */
    boolean isNear(BitSet searched, int first, int last) {
        if (searched.isEmpty()) {
            return false;
        }
        int start = sentenceStart(start(first));
        int end = sentenceEnd(end(last));
        for (int i = Math.max(0, first - LOOKED_AT); i < Math.min(size, last + LOOKED_AT); i++) {
            boolean near = position(i) >= position(first) - NEAR && position(i) <= position(last) + NEAR;
            if (near && start(i) >= start && start(i) < end && isAmong(searched, i)) {
                return true;
            }
        }
        return false;
    }
}
