package dev.inboxd.config;

import dev.inboxd.base.error.Suggestion;
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
                .min(Comparator.comparingInt(candidate -> Suggestion.distance(variable, candidate)))
                .filter(candidate -> Suggestion.distance(variable, candidate)
                        <= (candidate.length() - Setting.PREFIX.length() + 2) / 3);
    }
}
