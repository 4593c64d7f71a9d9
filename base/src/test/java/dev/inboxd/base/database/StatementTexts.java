package dev.inboxd.base.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The text of every statement of the program, in {@code server/src/test/resources/statements.txt}: a line each, with
 * blanks folded. Each Java that runs tests leaves the texts that it expanded below {@code target/statements}, and
 * {@code ./inboxd test} fails for one that is not in the file, so that the file is complete.
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
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** On one line; a blank within quotes is one blank in every statement of ours. */
    private static String folded(String sql) {
        return sql.strip().replaceAll("\\s+", " ");
    }
}
