package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.WordTable;
import java.util.List;

/**
 * Words in which the one for a code says what another is about: "Code-Zeilen", "code reviews: 12", "versionCode".
 *
 * @param text of the line
 * @param words of all lists in it
 */
record CodeCompounds(String text, List<WordTable.Place> words) {
    /** Whether the word for a code begins one. */
    boolean areBegunBy(WordTable.Place code) {
        int end = code.end();
        boolean camel = code.start() > 0
                && Character.isLowerCase(text.charAt(code.start() - 1))
                && Character.isUpperCase(text.charAt(code.start()));
        if (camel || end + 1 >= text.length() || !Character.isLetter(text.charAt(end + 1))) {
            return camel; // versionCode
        }
        if (text.charAt(end) == '-') {
            return !startsAt(end + 1, "code");
        }
        boolean named = text.regionMatches(true, code.start(), "code", 0, 4) && end - code.start() == 4;
        return text.charAt(end) == ' ' && named && (startsAt(end + 1, "thing") || isPluralBeforeNumber(end + 1));
    }

    private boolean startsAt(int at, String list) {
        return words.stream()
                .anyMatch(place -> place.start() == at && place.list().equals(list));
    }

    /** "Code widgets: 12": things that are counted. */
    private boolean isPluralBeforeNumber(int start) {
        int end = start;
        while (end < text.length() && Character.isLetter(text.charAt(end))) {
            end++;
        }
        String following = text.substring(end, Math.min(text.length(), end + 3)).strip();
        boolean counted = !following.isEmpty() && (following.charAt(0) == ':' || CodeText.isDigit(following.charAt(0)));
        return counted && end - start > 3 && text.charAt(end - 1) == 's' && !startsAt(start, "copula");
    }
}
