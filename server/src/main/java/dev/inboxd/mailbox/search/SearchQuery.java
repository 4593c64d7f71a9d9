package dev.inboxd.mailbox.search;

import dev.inboxd.base.http.Query;
import dev.inboxd.mail.text.TextFolding;
import dev.inboxd.mail.text.Words;
import dev.inboxd.mailbox.search.segment.TermCollector;
import dev.inboxd.mailbox.search.segment.TermKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A search query: words, all of which must be found. It has no patterns; characters other than letters, digits and
 * symbols only separate words (promise A40).
 *
 * @param words without duplicates, in the order of the query
 * @param phrase the words in their order, in the form of {@link NormalizedText}
 */
record SearchQuery(List<Word> words, String phrase) {
    private static final int LONGEST = 256;
    /** The largest number of words looked up in the index; further words are looked for in the candidates. */
    private static final int MOST_LOOKED_UP = 8;

    SearchQuery {
        words = List.copyOf(words);
    }

    /**
     * A word of a query.
     *
     * @param folded its letters in the form in which they are compared
     * @param unspaced whether it belongs to a script without spaces, and is found as a part of a text
     * @param start whether it is found as the start of a word: no word of the query is long enough to be looked up
     *     within words
     */
    record Word(String folded, boolean unspaced, boolean start) {
        /** Whether the word is too short for the index of parts of words. */
        boolean isShort() {
            return !unspaced && folded.length() < TermCollector.PART;
        }

        /** The keys of the word in a body; a message whose body has the word has all of them. */
        List<TermKey.Range> body(boolean alone) {
            if (unspaced) {
                return parts(TermKey.Kind.BODY, 2);
            }
            boolean open = start && alone;
            return List.of(
                    open ? TermKey.startingWith(TermKey.Kind.BODY, folded) : TermKey.only(TermKey.Kind.BODY, folded));
        }

        /**
         * The keys of the word in a header; a message whose header has the word has all of them, and some others do.
         */
        List<TermKey.Range> header() {
            if (unspaced) {
                return parts(TermKey.Kind.HEADER_PART, 2);
            }
            return start
                    ? List.of(TermKey.startingWith(TermKey.Kind.HEADER, folded))
                    : parts(TermKey.Kind.HEADER_PART, TermCollector.PART);
        }

        /** Up to three parts of that length: at the start, the end and the middle of the word. */
        private List<TermKey.Range> parts(TermKey.Kind kind, int length) {
            if (folded.length() <= length) {
                return List.of(TermKey.only(kind, folded));
            }
            int last = folded.length() - length;
            Set<Integer> starts = new LinkedHashSet<>(List.of(0));
            starts.add(last);
            starts.add(last / 2);
            return starts.stream()
                    .map(i -> TermKey.only(kind, folded.substring(i, i + length)))
                    .toList();
        }
    }

    /** Reads the parameter {@code q}; faults are added to the query. */
    static SearchQuery read(Query query) {
        String q = query.text("q");
        String trimmed = q == null ? "" : q.strip();
        if (trimmed.isEmpty() || trimmed.length() > LONGEST) {
            query.fault("q", "q must have 1 to " + LONGEST + " characters");
            return of("");
        }
        return of(trimmed);
    }

    /** The query of a text. */
    static SearchQuery of(String text) {
        List<Word> all = new ArrayList<>();
        Words words = new Words(TextFolding.composed(text));
        while (words.next()) {
            all.add(new Word(words.folded().toString(), words.unspaced(), false));
        }
        if (all.stream().allMatch(Word::isShort)) {
            all.replaceAll(word -> new Word(word.folded, false, true));
        }
        return new SearchQuery(
                all.stream().distinct().toList(), NormalizedText.of(text).text());
    }

    /**
     * The words to look up: the longest, which are the rarest. Short ones are looked for in the candidates of the
     * others.
     */
    List<Word> lookedUp() {
        return words.stream()
                .filter(word -> word.start || !word.isShort())
                .sorted((a, b) -> b.folded.length() - a.folded.length())
                .limit(MOST_LOOKED_UP)
                .toList();
    }

    /** Whether the query is a single word. */
    boolean isOneWord() {
        return words.size() == 1;
    }

    /** Whether the query is one word with a key of its own, so that the index alone tells which bodies have it. */
    boolean isExactTerm() {
        return isOneWord() && !needsText() && !words.getFirst().start();
    }

    /** Whether the index alone cannot tell whether a body matches. */
    boolean needsText() {
        return words.size() > 1 || words.stream().anyMatch(word -> word.unspaced && word.folded.length() > 2);
    }
}
