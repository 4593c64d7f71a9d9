package dev.inboxd.config;

import java.util.Comparator;
import java.util.Optional;

/** Guesses which setting was meant. */
final class SettingSuggestion {
    private SettingSuggestion() {}

    /** The name of a setting that is at most a third of its letters away from the given one. */
    static Optional<String> nearest(String variable) {
        return SettingTable.ALL.stream()
                .map(Setting::variable)
                .min(Comparator.comparingInt(known -> distance(variable, known)))
                .filter(known -> distance(variable, known) <= (known.length() - Setting.PREFIX.length() + 2) / 3);
    }

    /** Levenshtein's distance: how many letters must be put in, taken out or changed. */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[to.length()];
    }
}
