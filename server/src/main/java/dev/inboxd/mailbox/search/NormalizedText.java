package dev.inboxd.mailbox.search;

import dev.inboxd.mail.text.Words;

/** A text in the form in which it is compared: folded words with single spaces between and around them. */
record NormalizedText(String text) {
    static NormalizedText of(String text) {
        return new NormalizedText(Words.line(text));
    }

    /**
     * Whether the word is in this header field: anywhere, or at the start of a word when all words of the query are
     * short.
     */
    boolean hasInHeader(SearchQuery.Word word) {
        return text.contains(word.start() ? " " + word.folded() : word.folded());
    }

    /**
     * Whether the word is in this body, as a whole word.
     *
     * @param alone whether it is the query's only word; then a short one may be the start of a word
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

    /** Whether the query's words follow one another in this header field; the first and last may be parts of words. */
    boolean hasPhraseInHeader(SearchQuery query) {
        return text.contains(query.phrase().strip());
    }
}
