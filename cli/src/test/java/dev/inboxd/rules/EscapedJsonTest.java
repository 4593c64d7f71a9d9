package dev.inboxd.rules;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The JSON of tests is built by {@code JsonText} or stands in a text block, where one can read it. */
class EscapedJsonTest {
    private static final ExceptionList EXCEPTIONS =
            ExceptionList.read(Path.of("cli/src/test/resources/escaped-json.txt"), "why it is no text block");
    /** A quotation mark that is escaped, behind an opening bracket or before a colon. */
    private static final Pattern ESCAPED = Pattern.compile("[{\\[]\\\\\\x22|\\\\\\x22:");

    @Test
    void whatIsEscapedStandsInTheListWithItsReason() throws IOException {
        NavigableMap<String, String> violations = new TreeMap<>();
        for (Path file : SourceTree.files(SourceTree.TESTS, ".java")) {
            long lines = escaped(Files.readAllLines(file));
            if (lines > 0) {
                violations.put(file.getFileName().toString().replace(".java", " ") + lines, file.toString());
            }
        }
        assertThat(EXCEPTIONS.difference(violations)).isEmpty();
    }

    @Test
    void aMemberAnObjectAndAListAreSeen() {
        assertThat(escaped(List.of("post(" + literal(json("name", "ann")) + ");", literal(json(List.of("ann"))))))
                .isEqualTo(2);
        assertThat(escaped(List.of("\"{}\"", "json(\"name\", \"ann\")", literal("\"ann\" <ann@x.test>"))))
                .isZero();
    }

    private static long escaped(List<String> lines) {
        return lines.stream().filter(line -> ESCAPED.matcher(line).find()).count();
    }

    private static String literal(String text) {
        return '"' + text.replace("\"", "\\\"") + '"';
    }
}
