package dev.inboxd.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The exceptions from a rule, one in a line, with a reason after {@code ": "} where the file gives reasons. It only
 * gets shorter: a violation that is not listed is an error, and so is an exception that is no longer needed.
 */
final class ExceptionList {
    private final String file;
    private final List<String> comments = new ArrayList<>();
    private final NavigableMap<String, String> lines = new TreeMap<>();
    private final String reason;

    private ExceptionList(String file, String reason) {
        this.file = file;
        this.reason = reason;
    }

    /** Reads one whose lines have no reasons. */
    static ExceptionList read(Path file) {
        return read(file, "");
    }

    /**
     * Reads one.
     *
     * @param reason what a new line says behind its colon; empty where lines have no reasons
     */
    static ExceptionList read(Path file, String reason) {
        try {
            return of(file.getFileName().toString(), reason, Files.readAllLines(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The list with these lines. */
    static ExceptionList of(String file, String reason, List<String> lines) {
        ExceptionList list = new ExceptionList(file, reason);
        for (String line : lines) {
            if (line.startsWith("#")) {
                list.comments.add(line);
            } else if (!line.isBlank()) {
                list.lines.put(reason.isEmpty() ? line : line.replaceFirst(": .*", ""), line);
            }
        }
        return list;
    }

    /**
     * Compares the list with what breaks the rule now.
     *
     * @param violations each as the list would name it, with the place where it is
     * @return an empty text when they agree; else what to do, and the right content of the file, written to
     *     {@code target} too
     */
    String difference(NavigableMap<String, String> violations) {
        if (violations.keySet().equals(lines.keySet())) {
            return "";
        }
        StringBuilder message = new StringBuilder();
        violations.keySet().stream()
                .filter(Predicate.not(lines::containsKey))
                .forEach(entry -> message.append("not allowed: ")
                        .append(entry)
                        .append(" (")
                        .append(violations.get(entry))
                        .append(")\n"));
        lines.keySet().stream()
                .filter(Predicate.not(violations::containsKey))
                .forEach(entry -> message.append("shorten the list, this is no longer needed: ")
                        .append(entry)
                        .append('\n'));
        String content = content(violations);
        Path copy = write(content);
        return message + "The right content of cli/src/test/resources/" + file + ", also in " + copy + ":\n" + content;
    }

    private String content(NavigableMap<String, String> violations) {
        StringBuilder content = new StringBuilder();
        comments.forEach(line -> content.append(line).append('\n'));
        violations
                .keySet()
                .forEach(entry -> content.append(
                                lines.getOrDefault(entry, reason.isEmpty() ? entry : entry + ": " + reason))
                        .append('\n'));
        return content.toString();
    }

    private Path write(String content) {
        Path copy = Path.of("target", file);
        try {
            return Files.writeString(copy, content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
