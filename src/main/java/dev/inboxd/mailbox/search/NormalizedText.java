package dev.inboxd.mailbox.search;

import dev.inboxd.mail.text.Words;

/**
 * A text as it is compared: its folded words with single spaces around them.
 *
 * @param text begins and ends with a space
 */
record NormalizedText(String text) {
    static NormalizedText of(String text) {
        return new NormalizedText(Words.line(text));
    }

    /** Whether the word is in this header field: anywhere, or at a start when all words are short. */
    boolean hasInHeader(SearchQuery.Word word) {
        return text.contains(word.start() ? " " + word.folded() : word.folded());
    }

    /**
     * Whether the word is in this body, whole.
     *
     * @param alone whether it is all that is searched for; then a short one may be a start
     */
    boolean hasInBody(SearchQuery.Word word, boolean alone) {
        if (word.unspaced()) {
            return text.contains(word.folded());
        }
        boolean start = word.start() && alone;
        return text.contains(" " + word.folded() + (start ? "" : " "));
    }

    /** Whether the words of the query follow one another in this body. */
    boolean hasPhrase(SearchQuery query) {
        String phrase = query.phrase().strip();
        boolean first = query.words().getFirst().unspaced();
        boolean last = query.words().getLast().unspaced();
        return text.contains((first ? "" : " ") + phrase + (last ? "" : " "));
    }

    /** Whether the query's words follow one another in this header field, the first and last perhaps cut. */
    boolean hasPhraseInHeader(SearchQuery query) {
        return text.contains(query.phrase().strip());
    }
}
