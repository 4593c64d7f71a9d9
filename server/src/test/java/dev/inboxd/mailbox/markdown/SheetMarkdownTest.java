package dev.inboxd.mailbox.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.markdown.MarkdownWindow;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workbooks as Markdown: what their cells say is text, and stays about as long. */
class SheetMarkdownTest {
    private static String markdown(String text) {
        MarkdownWindow window = new MarkdownWindow(0, Long.MAX_VALUE);
        SheetMarkdown.write(text, window);
        return window.piece().text();
    }

    private static String row(String... cells) {
        return String.join("\t", cells) + "\t\n";
    }

    @Test
    void aSheetIsATableWhoseRowsEndWithTheirLastCell() {
        assertThat(markdown("Sums\n" + row("Item", "Price", "Note") + row("Chair", "-5", "") + row("", "", "x")
                        + row("", "", "") + "Empty\n" + row("", "") + "Last\n" + row("a") + "b"))
                .isEqualTo("""
                        ## Sums

                        | Item | Price | Note |
                        | --- | --- | --- |
                        | Chair | -5 |
                        | | | x |
                        | |

                        ## Empty

                        ## Last

                        | a |
                        | --- |
                        | b |""");
    }

    @Test
    void aFirstRowThatIsShorterHasTheColumnsOfTheOthers() {
        assertThat(markdown("S\n" + row("Title") + row("a", "b", "c")))
                .endsWith("| Title | | |\n| --- | --- | --- |\n| a | b | c |");
    }

    @ParameterizedTest
    @CsvSource({"R&D,R&D", "Price!,Price!", "a#b,a#b", "snake_case,snake_case", "To|tal,To\\|tal", "3*4,3*4"})
    void aSignIsEscapedOnlyWhereItWouldBeStructure(String cell, String written) {
        assertThat(markdown("S\n" + row(cell, "x"))).contains("| " + written + " | x |");
    }

    @ParameterizedTest
    @CsvSource({
        "===,\\===",
        "---,\\---",
        "- item,\\- item",
        "1. first,1\\. first",
        "+ plus,\\+ plus",
        "> said,\\> said",
        "# head,\\# head",
        "```,\\`\\`\\`",
        "~~~,\\~\\~\\~",
        ":--,\\:--",
        "<b>,\\<b>",
        "[a](b),[a\\](b)"
    })
    void aRowOfAWideSheetIsALineOfTextWhateverItSays(String cell, String written) {
        String head = IntStream.range(0, 42).mapToObj(i -> "c" + i).collect(Collectors.joining("\t")) + "\t\n";
        String[] lines = markdown("S\n" + head + row("Approved by the owner") + row(cell))
                .split("\n", -1);
        assertThat(lines).hasSize(5);
        assertThat(lines[2]).startsWith("c0 | c1 | c2").endsWith(" | c41");
        assertThat(lines[3]).isEqualTo("Approved by the owner");
        assertThat(lines[4]).isEqualTo(written);
    }

    @Test
    void aNameOfASheetIsOneHeading() {
        assertThat(markdown("# A *b* #\n" + row("x"))).startsWith("## # A \\*b\\* \\#\n\n| x |");
    }

    /** A sheet of one cell in a row and one wide row must not be filled up with empty cells. */
    @Test
    void theMarkdownIsAtMostAFewTimesAsLongAsTheText() {
        String wide = String.join("\t", Collections.nCopies(40, "x")) + "\t\n";
        for (String text : List.of(
                "S\n" + row("1").repeat(100_000) + wide,
                "S\n" + row("*").repeat(100_000),
                "S\n" + wide.repeat(3_000),
                "S\n" + ("\t".repeat(39) + "x\t\n").repeat(3_000),
                ("S\n" + wide).repeat(3_000))) {
            assertThat((long) markdown(text).length()).isLessThanOrEqualTo(6L * text.length());
        }
    }
}
