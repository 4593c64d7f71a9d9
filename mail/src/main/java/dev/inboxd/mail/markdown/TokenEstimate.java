package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.measure.TokenCounter;

/**
 * Estimates how many tokens a model reads in a text, without a vocabulary: for budgets, not for bills (markdown.md §6).
 */
public final class TokenEstimate {
    private TokenEstimate() {}

    /** The estimate for a text, rounded up. */
    public static long of(CharSequence text) {
        TokenCounter counter = new TokenCounter();
        for (int i = 0; i < text.length(); ) {
            int codePoint = Character.codePointAt(text, i);
            counter.add(codePoint);
            i += Character.charCount(codePoint);
        }
        return counter.tokens();
    }
}
