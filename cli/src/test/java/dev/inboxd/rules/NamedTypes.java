package dev.inboxd.rules;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The types that documents name in backquotes. A name that stands in no source any more was changed there. */
final class NamedTypes {
    /** A package or its end, and a type; or a type of several words. A member may follow. */
    private static final Pattern NAME = Pattern.compile(
            "`(?!java\\.)(?:((?:[a-z]\\w*\\.)+)([A-Z]\\w+)|((?:[A-Z][a-z0-9]+){2,}))(?:[.#][\\w.]+(?:\\(.*?\\))?)?`");

    private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w+");

    private NamedTypes() {}

    /**
     * Those that are nowhere.
     *
     * @param files path to text
     * @return the document and the name
     */
    static Set<String> missing(Map<String, String> files) {
        Set<String> words = new HashSet<>();
        Set<String> types = new HashSet<>();
        files.forEach((path, text) -> {
            if (!path.endsWith(".md")) {
                WORD.matcher(text).results().map(MatchResult::group).forEach(words::add);
            }
            if (path.endsWith(".java")) {
                types.add("/" + path.substring(0, path.length() - ".java".length()));
            }
        });
        Set<String> missing = new TreeSet<>();
        files.forEach((path, text) -> {
            if (path.endsWith(".md")) {
                NAME.matcher(text)
                        .results()
                        .filter(name -> !isThere(name, words, types))
                        .forEach(name -> missing.add(Path.of(path).getFileName() + ": " + name.group()));
            }
        });
        return missing;
    }

    private static boolean isThere(MatchResult name, Set<String> words, Set<String> types) {
        if (name.group(3) != null) {
            return words.contains(name.group(3));
        }
        String place = "/" + name.group(1).replace('.', '/') + name.group(2);
        return types.stream().anyMatch(type -> type.endsWith(place));
    }
}
