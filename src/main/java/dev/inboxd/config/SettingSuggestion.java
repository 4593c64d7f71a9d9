package dev.inboxd.config;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Suggests the setting that a misspelled variable means. */
final class SettingSuggestion {
    private SettingSuggestion() {}

    /** The nearest setting's variable, if its edit distance is at most a third of its length. */
    static Optional<String> nearest(String variable) {
        return SettingTable.ALL.stream()
                .flatMap(setting -> Stream.concat(Stream.of(setting.variable()), setting.fileVariable().stream()))
                .min(Comparator.comparingInt(known -> distance(variable, known)))
                .filter(known -> distance(variable, known) <= (known.length() - Setting.PREFIX.length() + 2) / 3);
    }

    /** Levenshtein distance: the number of insertions, deletions and substitutions. */
    private static int distance(String from, String to) {
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
