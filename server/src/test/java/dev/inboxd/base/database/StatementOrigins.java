package dev.inboxd.base.database;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tells the statements of the program from those that only tests send: by the literal of the sources with which a
 * statement begins, and the longest of these decides.
 */
final class StatementOrigins {
    private static final Pattern LITERAL =
            Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);
    private static final Pattern BEGINNING = Pattern.compile("^(select|insert|update|delete|with) .*", Pattern.DOTALL);
    /** No sentence of English begins like this. */
    private static final Pattern STATEMENT = Pattern.compile(
            "^(?:select .* from |insert into \\w+|update \\w+ (?:\\w+ )?set |delete from |with \\w+ as )");
    /** An INSERT of rows goes on by VALUES or by SELECT ({@link RowInsert}). */
    private static final Pattern INSERT = Pattern.compile("^insert into [^()]+\\([^()]+\\)");
    /** Where the text of a statement goes on differently: a part that is put in, or a parameter. */
    private static final Pattern PART = Pattern.compile("\\{|%\\d*\\$?s|(?<!:):(?=[a-z])|[A-Z]{3,}");

    private final Set<String> program = new HashSet<>();
    private final Set<String> tests = new HashSet<>();

    /** Reads the sources. */
    static StatementOrigins read() throws IOException {
        StatementOrigins origins = new StatementOrigins();
        beginnings(SourceTree.MAIN, origins.program);
        beginnings(SourceTree.TESTS, origins.tests);
        return origins;
    }

    /** Whether a statement of {@link StatementTexts} is one that only tests send. */
    boolean isOfTests(String statement) {
        return longest(tests, statement) > longest(program, statement);
    }

    private static int longest(Set<String> beginnings, String statement) {
        return beginnings.stream()
                .filter(statement::startsWith)
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    private static void beginnings(List<Path> sources, Set<String> beginnings) throws IOException {
        for (Path file : SourceTree.files(sources, ".java")) {
            Matcher literals = LITERAL.matcher(Files.readString(file));
            while (literals.find()) {
                add(literals.group(1) == null ? literals.group(2) : literals.group(1), beginnings);
            }
        }
    }

    /**
     * The statements and parts of statements in a source, each up to where a part is put in; of an INSERT the table and
     * its columns.
     */
    static Stream<String> statements(String source) {
        return LITERAL.matcher(source)
                .results()
                .map(literal -> beginning(literal.group(1) == null ? literal.group(2) : literal.group(1)))
                .filter(beginning -> STATEMENT.matcher(beginning).find())
                .map(beginning -> {
                    Matcher insert = INSERT.matcher(beginning);
                    return insert.find() ? insert.group() : beginning.strip();
                });
    }

    private static String beginning(String literal) {
        String text = literal.replace("\\\"", "\"")
                .replace("{tenant}", "")
                .replaceAll("\\s+", " ")
                .stripLeading();
        Matcher part = PART.matcher(text);
        return part.find() ? text.substring(0, part.start()) : text;
    }

    private static void add(String literal, Set<String> beginnings) {
        String beginning = beginning(literal);
        if (BEGINNING.matcher(beginning).matches()) {
            beginnings.add(beginning);
            Matcher insert = INSERT.matcher(beginning);
            if (insert.find()) {
                beginnings.add(insert.group());
            }
        }
    }
}
