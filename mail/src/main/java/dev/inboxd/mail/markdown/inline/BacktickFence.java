package dev.inboxd.mail.markdown.inline;

/** Fences of code (CommonMark 0.31 §4.5). */
public final class BacktickFence {
    private static final int LEAST = 3;

    private BacktickFence() {}

    /** The fence that no line of a text can end. */
    public static String of(CharSequence text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return "`".repeat(Math.max(LEAST, longest + 1));
    }
}
