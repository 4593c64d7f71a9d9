package dev.inboxd.console.view;

import java.util.ArrayList;
import java.util.List;

/**
 * A text with the words that a search found in it.
 *
 * @param parts in their order
 */
public record MarkedText(List<Part> parts) {
    private static final String MARK = "**";

    public MarkedText {
        parts = List.copyOf(parts);
    }

    /** A part of a text, which is a match or stands beside one. */
    public record Part(String text, boolean isMatch) {}

    /** A fragment of the API, which has two asterisks before and after each match. */
    public static MarkedText of(String fragment) {
        List<Part> parts = new ArrayList<>();
        int from = 0;
        for (boolean isMatch = false; from <= fragment.length(); isMatch = !isMatch) {
            int mark = fragment.indexOf(MARK, from);
            int end = mark < 0 ? fragment.length() : mark;
            if (end > from) {
                parts.add(new Part(fragment.substring(from, end), isMatch && mark >= 0));
            }
            from = mark < 0 ? fragment.length() + 1 : mark + MARK.length();
        }
        return new MarkedText(parts);
    }

    /** A text in which stands what fragments of it mark; they may be shorter than it. */
    public static MarkedText in(String text, List<String> fragments) {
        List<String> matches = fragments.stream()
                .flatMap(fragment -> of(fragment).parts.stream())
                .filter(Part::isMatch)
                .map(Part::text)
                .distinct()
                .toList();
        List<Part> parts = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            Part next = first(text, from, matches);
            int at = next.text.isEmpty() ? text.length() : text.indexOf(next.text, from);
            if (at > from) {
                parts.add(new Part(text.substring(from, at), false));
            }
            if (!next.text.isEmpty()) {
                parts.add(next);
            }
            from = at + next.text.length();
        }
        return new MarkedText(parts);
    }

    /** What is found first behind a place; an empty part for nothing. */
    private static Part first(String text, int from, List<String> matches) {
        int at = text.length();
        String first = "";
        for (String match : matches) {
            int place = text.indexOf(match, from);
            if (place >= 0 && place < at) {
                at = place;
                first = match;
            }
        }
        return new Part(first, true);
    }
}
