package dev.inboxd.console.mail;

import dev.inboxd.base.http.LocalCall;
import java.util.ArrayList;
import java.util.List;

/**
 * What somebody typed into the search of an inbox: filters such as {@code from:jo} and free words.
 *
 * @param names of the filters, as the API has them
 * @param values of the filters, in the same order
 * @param words the free words, with blanks between; empty for none
 */
record SearchTokens(List<String> names, List<String> values, String words) {
    private static final int MOST = 20;

    SearchTokens {
        names = List.copyOf(names);
        values = List.copyOf(values);
    }

    /** Reads a text; what is no filter is a word. */
    static SearchTokens of(String text) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        StringBuilder words = new StringBuilder();
        for (String word : text.strip().split(" ", MOST)) {
            int colon = word.indexOf(':');
            String name = colon < 0 ? "" : parameter(word.substring(0, colon));
            if (name.isEmpty() || colon == word.length() - 1) {
                words.append(words.isEmpty() ? "" : " ").append(word);
            } else {
                names.add(name);
                values.add(word.substring(colon + 1));
            }
        }
        return new SearchTokens(names, values, words.toString().strip());
    }

    private static String parameter(String filter) {
        return switch (filter) {
            case "from" -> "senders";
            case "to" -> "recipients";
            case "subject" -> "subject";
            case "label" -> "labels";
            case "after", "before" -> filter;
            default -> "";
        };
    }

    /** A list with these filters. */
    LocalCall filters(LocalCall list) {
        LocalCall call = list;
        for (int i = 0; i < names.size(); i++) {
            call = call.with(names.get(i), values.get(i));
        }
        return call;
    }

    /** A search with the filters that searches have: those of time. */
    LocalCall times(LocalCall search) {
        LocalCall call = search;
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals("after") || names.get(i).equals("before")) {
                call = call.with(names.get(i), values.get(i));
            }
        }
        return call;
    }

    /** The filters in words; beside free words, those that the search leaves out are marked. */
    List<String> shown() {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            boolean isTime = names.get(i).equals("after") || names.get(i).equals("before");
            shown.add(
                    names.get(i) + " " + values.get(i) + (words.isEmpty() || isTime ? "" : " (not beside free words)"));
        }
        return shown;
    }
}
