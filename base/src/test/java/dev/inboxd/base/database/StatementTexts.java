package dev.inboxd.base.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of every statement of the program, in {@code server/src/test/resources/statements.txt}: a line each, with
 * blanks folded. Each Java that runs tests leaves the texts that it expanded below {@code target/statements}, and apart
 * those of statements that are not in the file in any form. {@code ./inboxd test} fails for these, so that the file is
 * complete. Which form of a statement comes first is a matter of luck, and fails nothing ({@link StatementForms}).
 */
public final class StatementTexts {
    private static final Path LISTED = Path.of("server/src/test/resources/statements.txt");
    private static final Path SEEN = Path.of("target/statements");

    /** Statements that tests make up: on tables that the product does not have, or with an id in their text. */
    private static final Pattern OF_TESTS =
            Pattern.compile("^insert into (kept|signing_key \\(domain, event)|elsewhere\\.public"
                    + "|^select 1 as one from \\w+ x (where|limit)"
                    + "|'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'");

    private StatementTexts() {}

    /** The texts of the file. */
    static List<String> listed() throws IOException {
        return Files.readAllLines(LISTED);
    }

    /** Writes down what this Java has expanded so far. */
    public static void write() {
        List<String> texts = new ArrayList<>();
        for (String sql : SqlTemplate.expanded()) {
            String text = folded(sql);
            if (!OF_TESTS.matcher(text).find()) {
                texts.add(text);
            }
        }
        try {
            Files.createDirectories(SEEN);
            Files.write(SEEN.resolve(ProcessHandle.current().pid() + ".txt"), texts);
            Files.write(SEEN.resolve(ProcessHandle.current().pid() + ".unlisted"), unlisted(texts, listed()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The texts of statements that are not listed in any form. */
    static List<String> unlisted(List<String> texts, List<String> listed) {
        Set<String> exact = new HashSet<>(listed);
        List<String> further =
                texts.stream().filter(text -> !exact.contains(text)).toList();
        if (further.isEmpty()) {
            return further;
        }
        Set<String> statements = listed.stream().map(StatementForms::common).collect(Collectors.toSet());
        return further.stream()
                .filter(text -> !statements.contains(StatementForms.common(text)))
                .toList();
    }

    /** On one line; a blank within quotes is one blank in every statement of ours. */
    private static String folded(String sql) {
        return sql.strip().replaceAll("\\s+", " ");
    }
}
