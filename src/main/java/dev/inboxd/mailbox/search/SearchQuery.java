package dev.inboxd.mailbox.search;

import dev.inboxd.mail.text.TextFolding;
import dev.inboxd.mail.text.Words;
import dev.inboxd.platform.http.Query;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What somebody searches for: words, all of which must be found. Nothing in it is a pattern; what is no letter, digit or
 * symbol only separates (promise A40).
 *
 * @param words each once, in the order of the query
 * @param phrase the words as they follow one another, in the form of {@link NormalizedText}
 */
record SearchQuery(List<Word> words, String phrase) {
    private static final int LONGEST = 256;
    /** Looked up in the index; the others are looked for in what is found. */
    private static final int MOST_LOOKED_UP = 8;

    SearchQuery {
        words = List.copyOf(words);
    }

    /**
     * A word of a query.
     *
     * @param folded its letters as they are compared
     * @param unspaced whether it is found as a part of a run without spaces
     * @param start whether it is found as the start of a word: no word of the query is long enough to be looked up
     *     within others
     */
    record Word(String folded, boolean unspaced, boolean start) {
        /** Whether the index cannot tell what has it as a part of a word. */
        boolean isShort() {
            return !unspaced && folded.length() < TermCollector.PART;
        }

        /** The keys that a message has all of, when its body has the word. */
        List<TermKey.Range> body(boolean alone) {
            if (unspaced) {
                return parts(TermKey.Kind.BODY, 2);
            }
            boolean open = start && alone;
            return List.of(
                    open ? TermKey.startingWith(TermKey.Kind.BODY, folded) : TermKey.only(TermKey.Kind.BODY, folded));
        }

        /** The keys that a message has all of, when its header has the word; some that have them lack it. */
        List<TermKey.Range> header() {
            if (unspaced) {
                return parts(TermKey.Kind.HEADER_PART, 2);
            }
            return start
                    ? List.of(TermKey.startingWith(TermKey.Kind.HEADER, folded))
                    : parts(TermKey.Kind.HEADER_PART, TermCollector.PART);
        }

        /** Up to three pieces of that length, spread over the word. */
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

    /** Reads the parameter {@code q}; what is wrong with it is noted. */
    static SearchQuery read(Query query) {
        String q = query.text("q");
        String trimmed = q == null ? "" : q.strip();
        if (trimmed.isEmpty() || trimmed.length() > LONGEST) {
            query.fault("q", "q must have 1 to " + LONGEST + " characters");
            return of("");
        }
        return of(trimmed);
    }

    /** The query that a text means. */
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

    /** The words to look up: the longest, which are the rarest. Short ones are looked for in what the others found. */
    List<Word> lookedUp() {
        return words.stream()
                .filter(word -> word.start || !word.isShort())
                .sorted((a, b) -> b.folded.length() - a.folded.length())
                .limit(MOST_LOOKED_UP)
                .toList();
    }

    /** Whether it is one word alone. */
    boolean isOneWord() {
        return words.size() == 1;
    }

    /** Whether it is a word of which the index has a key, and tells by it alone which bodies have the word. */
    boolean isTold() {
        return isOneWord() && !needsText() && !words.getFirst().start();
    }

    /** Whether the index alone cannot tell if a body has what is searched for. */
    boolean needsText() {
        return words.size() > 1 || words.stream().anyMatch(word -> word.unspaced && word.folded.length() > 2);
    }
}
