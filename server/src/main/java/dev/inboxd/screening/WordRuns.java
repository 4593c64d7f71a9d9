package dev.inboxd.screening;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares texts by their runs of words, whatever stands between the words: signs of quotes, tags, line ends. */
final class WordRuns {
    /** The share from which a text has most of another one. */
    private static final double MOST_OF_IT = 0.8;

    private static final int RUN = 8;
    /** Of a text of 30 words that repeats nothing; what is shorter is said by chance, too. */
    private static final int FEWEST_RUNS = 23;

    private static final int SHORTEST = 3;
    private static final int MOST_WORDS = 50_000;
    private static final int MOST_OF_FIRST = 5_000;
    private static final int LONGEST_TAG = 2_000;

    private WordRuns() {}

    /** The words of some texts, as digests; at most 50,000. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Words(int[] digests, int count) {}

    /** The words of texts, one after another. */
    static Words words(Collection<@Nullable String> texts) {
        Scan scan = new Scan(MOST_WORDS);
        for (String text : texts) {
            if (text != null) {
                scan.add(text);
            }
        }
        return new Words(scan.digests, scan.count);
    }

    /**
     * The share of the runs of a text's words that others have, from 0 to 1; 0 for a text of less than three words.
     *
     * @param first the beginning of it counts, 5,000 words
     */
    static double share(@Nullable String first, Words others) {
        return compared(first, others).share();
    }

    /** Whether others have most of a text that has at least about thirty words, in runs of eight. */
    static boolean isMostOf(@Nullable String first, Words others) {
        Overlap overlap = compared(first, others);
        return overlap.all >= FEWEST_RUNS && overlap.share() >= MOST_OF_IT;
    }

    /** How many runs of a text others have, of how many. */
    private record Overlap(int shared, int all) {
        double share() {
            return all == 0 ? 0 : (double) shared / all;
        }
    }

    private static Overlap compared(@Nullable String first, Words others) {
        if (first == null) {
            return new Overlap(0, 0);
        }
        Scan scan = new Scan(MOST_OF_FIRST);
        scan.add(first);
        int run = Math.min(RUN, scan.count);
        if (run < SHORTEST) {
            return new Overlap(0, 0);
        }
        Set<Long> runs = runs(new Words(scan.digests, scan.count), run);
        Set<Long> shared = new HashSet<>();
        for (int i = 0; i + run <= others.count; i++) {
            long digest = run(others, i, run);
            if (runs.contains(digest)) {
                shared.add(digest);
            }
        }
        return new Overlap(shared.size(), runs.size());
    }

    private static Set<Long> runs(Words words, int run) {
        Set<Long> runs = new HashSet<>();
        for (int i = 0; i + run <= words.count; i++) {
            runs.add(run(words, i, run));
        }
        return runs;
    }

    private static long run(Words words, int from, int run) {
        long digest = 0;
        for (int i = from; i < from + run; i++) {
            digest = digest * 1_000_003 + words.digests[i];
        }
        return digest;
    }

    /** Takes words out of texts. */
    private static final class Scan {
        private final int[] digests;
        private int count;

        Scan(int most) {
            this.digests = new int[most];
        }

        /** Words are letters and digits, whatever their case; what stands in a tag of HTML is none. */
        void add(String text) {
            int digest = 0;
            boolean isIn = false;
            for (int i = 0; i <= text.length() && count < digests.length; i++) {
                char c = i < text.length() ? text.charAt(i) : ' ';
                if (c == '<') {
                    i = afterTag(text, i);
                }
                if (Character.isLetterOrDigit(c)) {
                    digest = digest * 31 + Character.toLowerCase(c);
                    isIn = true;
                } else if (isIn) {
                    digests[count++] = digest;
                    digest = 0;
                    isIn = false;
                }
            }
        }

        /** The end of a tag that begins there; the same place when none does. */
        private static int afterTag(String text, int at) {
            int most = Math.min(text.length(), at + LONGEST_TAG);
            for (int i = at + 1; i < most; i++) {
                char c = text.charAt(i);
                if (c == '>') {
                    return i;
                }
                if (c == '<' || (i == at + 1 && !Character.isLetter(c) && c != '/' && c != '!')) {
                    return at;
                }
            }
            return at;
        }
    }
}
