package dev.inboxd.mail.screen;

import java.util.ArrayList;
import java.util.List;

/** The words that a style sheet holds beside its rules: in strings, as of {@code content}, and in comments. */
final class SheetWords {
    private static final int MOST = 200;

    private SheetWords() {}

    /** The first strings and comments of at least so many words. */
    static List<String> in(String css, int words) {
        List<String> sentences = new ArrayList<>();
        for (int at = 0; at < css.length() && sentences.size() < MOST; at++) {
            char c = css.charAt(at);
            int end = at;
            if (c == '"' || c == '\'') {
                end = css.indexOf(c, at + 1);
            } else if (css.startsWith("/*", at)) {
                end = css.indexOf("*/", at + 2);
            }
            end = end < 0 ? css.length() : end;
            if (end > at) {
                String text = css.substring(Math.min(at + (c == '/' ? 2 : 1), end), end)
                        .strip();
                if (isSentence(text, words)) {
                    sentences.add(text);
                }
                at = end + (c == '/' ? 1 : 0);
            }
        }
        return sentences;
    }

    /** Words of letters; of scripts without spaces any two letters are enough. */
    private static boolean isSentence(String text, int words) {
        int count = 0;
        boolean within = false;
        for (int i = 0; i < text.length() && count < words; i++) {
            boolean letter = Character.isLetterOrDigit(text.charAt(i)) || text.charAt(i) == '\\';
            boolean unspaced = letter && text.charAt(i) >= 0x0E00;
            count += (letter && !within) || unspaced ? 1 : 0;
            within = letter;
        }
        return count >= words;
    }
}
