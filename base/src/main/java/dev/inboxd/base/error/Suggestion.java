package dev.inboxd.base.error;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the word that somebody meant who wrote another. */
public final class Suggestion {
    private static final int LONGEST = 100;

    private Suggestion() {}

    /** The word that differs only in case and punctuation, else the nearest within a third of its length, or null. */
    public static @Nullable String nearest(String written, Collection<String> words) {
        String writtenLetters = written.length() > LONGEST ? "" : letters(written);
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String word : words) {
            String letters = letters(word);
            int distance = distance(writtenLetters, letters);
            if (distance < least && distance <= letters.length() / 3) {
                best = word;
                least = distance;
            }
        }
        return best;
    }

    /** The letters and digits in lower case: what is left when spellings such as camelCase and snake_case are. */
    public static String letters(String word) {
        StringBuilder letters = new StringBuilder(word.length());
        word.toLowerCase(Locale.ROOT).chars().filter(Character::isLetterOrDigit).forEach(c -> letters.append((char) c));
        return letters.toString();
    }

    /** The end of a sentence that asks for the nearest word; empty when there is none. */
    public static String question(String written, Collection<String> words) {
        String nearest = nearest(written, words);
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    /** Levenshtein distance: the number of insertions, deletions and substitutions. */
    public static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(previous[j], row[j - 1]));
            }
            previous = row;
        }
        return previous[to.length()];
    }
}
