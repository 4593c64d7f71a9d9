package dev.inboxd.mail.markdown.measure;

/** Counts words: runs without white space. */
public final class WordCount {
    private WordCount() {}

    /** The words of a part of a text. */
    public static int of(CharSequence text, int start, int end) {
        int words = 0;
        boolean within = false;
        for (int i = start; i < end; i++) {
            boolean word = text.charAt(i) > ' ';
            words += word && !within ? 1 : 0;
            within = word;
        }
        return words;
    }
}
