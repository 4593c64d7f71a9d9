package dev.inboxd.platform.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of every statement of the program, in {@code src/test/resources/statements.txt}: a line each, with blanks
 * folded. Each Java that runs tests leaves the texts that it expanded below {@code target/statements}, and
 * {@code ./inboxd test} fails for one that is not in the file, so that the file is complete.
 */
public final class StatementTexts {
    private static final Path LISTED = Path.of("src/test/resources/statements.txt");
    private static final Path SEEN = Path.of("target/statements");

    /** How statements begin that tests make up, on tables that the product does not have. */
    private static final List<String> OF_TESTS = List.of("insert into kept ", "insert into signing_key (domain, event");

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
            if (OF_TESTS.stream().noneMatch(text::startsWith)) {
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
