package dev.inboxd.cli.mail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The name of a command, by one rule from the path and the operation id.
 *
 * <ol>
 *   <li>A version and the level ({@code /pods/{pod_id}}, {@code /inboxes/{inbox_id}}) are no part of it: flags say the
 *       level.
 *   <li>The resource is the first word of the path.
 *   <li>The verb is the first word of the operation id, followed by the other words of the path; a word of the path
 *       that has the verb in it takes its place. The path names one of several by a parameter behind them, and so does
 *       the verb: {@code get-attachment}, but {@code list-deliveries}.
 * </ol>
 *
 * @param resource the first word
 * @param verb the second
 */
record CommandName(String resource, String verb) {
    private static final List<List<String>> LEVELS = List.of(
            List.of("pods", "{pod_id}"), List.of("inboxes", "{inbox_id}"), List.of("api", "v1", "app", "{app_id}"));
    private static final List<String> MAKING = List.of("create", "register", "add");

    /** The name of a call. */
    static CommandName of(String path, String operationId) {
        String word = words(operationId).getFirst();
        List<String> parts = withoutLevel(
                Arrays.stream(path.split("/"))
                        .filter(part -> !part.isEmpty() && !part.equals("v0"))
                        .toList(),
                word);
        if (parts.isEmpty()) {
            return new CommandName("socket", word);
        }
        String resource = plain(parts.getFirst());
        String verb = word;
        List<String> qualifiers = new ArrayList<>();
        for (int i = 1; i < parts.size(); i++) {
            String part = parts.get(i);
            if (part.startsWith("{")) {
                continue;
            }
            boolean isNamed = i + 1 < parts.size() && parts.get(i + 1).startsWith("{");
            if (List.of(part.split("-")).contains(word)) {
                verb = part;
            } else {
                qualifiers.add(isNamed || MAKING.contains(word) ? singular(plain(part)) : plain(part));
            }
        }
        return new CommandName(resource, qualifiers.isEmpty() ? verb : verb + "-" + String.join("-", qualifiers));
    }

    /** An operation id as a verb, for a call that its path does not tell from another. */
    static String ofOperationId(String operationId) {
        return String.join("-", words(operationId));
    }

    private static List<String> withoutLevel(List<String> parts, String word) {
        for (List<String> level : LEVELS) {
            boolean isLevel = parts.size() > level.size()
                    && parts.subList(0, level.size()).equals(level)
                    && !List.of(parts.get(level.size()).split("-")).contains(word);
            if (isLevel) {
                return parts.subList(level.size(), parts.size());
            }
        }
        return parts;
    }

    /** The words of a name in camel case, in small letters. */
    private static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && !word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
            }
            word.append(c);
        }
        words.add(word.toString());
        return words.stream().map(part -> part.toLowerCase(Locale.ROOT)).toList();
    }

    private static String plain(String part) {
        String plain = part.replace('.', '-');
        return plain.startsWith("-") ? plain.substring(1) : plain;
    }

    /** One of what a word names several of. */
    static String singular(String word) {
        if (word.endsWith("ies")) {
            return word.substring(0, word.length() - 3) + "y";
        }
        if (word.endsWith("xes")) {
            return word.substring(0, word.length() - 2);
        }
        return word.endsWith("s") && !word.endsWith("ss") ? word.substring(0, word.length() - 1) : word;
    }
}
