package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextMarkdownTest {
    private static String written(MarkdownSource source, QuoteForm quotes, LinkForm links) {
        MarkdownWindow window = new MarkdownWindow(0, Long.MAX_VALUE);
        MailMarkdown.write(source, new MarkdownForm(quotes, links), window);
        return window.piece().text();
    }

    private static String of(String text, QuoteForm quotes) {
        return written(new MarkdownSource(null, text, null, null, MailKind.ANSWER, Map.of()), quotes, LinkForm.FULL);
    }

    private static String of(String text) {
        return of(text, QuoteForm.FOLD);
    }

    @Test
    void linesStayLinesAndAnEmptyLineEndsAParagraph() {
        assertThat(of("Hello Kim,\n\n\nthe chair\nis blue.  \n \n Alex\n"))
                .isEqualTo("Hello Kim,\n\nthe chair\nis blue.\n\nAlex");
    }

    @Test
    void joinedLinesAreThoseOfTheBodyWhoseFormatSaysSo() {
        assertThat(written(
                        new MarkdownSource(null, "The \nchair", "The chair", null, MailKind.ANSWER, Map.of()),
                        QuoteForm.FOLD,
                        LinkForm.FULL))
                .isEqualTo("The chair");
    }

    @Test
    void aLineOfTheAuthorsOwnInJoinedTextIsNoQuotation() {
        String joined = "Compare:\n > is greater\n\nbye";
        assertThat(written(
                        new MarkdownSource(null, joined, joined, null, MailKind.ANSWER, Map.of()),
                        QuoteForm.FOLD,
                        LinkForm.FULL))
                .isEqualTo("Compare:\n\\> is greater\n\nbye");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# no heading",
                "- no item",
                "1. no item",
                "+ no item",
                "Title\n=====",
                "Title\n-----",
                "***",
                "```",
                "~~~",
                "<b>no tag</b>",
                "![no picture](https://a.example/x.png)",
                "[no link]: https://a.example/",
                "*no emphasis*",
                "&amp; no entity",
                "~~not struck~~",
                "| no | table\n| --- | ---"
            })
    @Proves("A48")
    void nothingThatATextHoldsIsStructure(String text) {
        assertThat(MarkdownReader.html(of(text)))
                .doesNotContain("<h", "<li", "<em", "<img", "<del", "<table", "<hr", "<pre");
    }

    @Test
    void indentedLinesDrawingsAndColumnsStandInAFence() {
        assertThat(of("Run:\n\n    make\n\tmake install\n\nThen"))
                .isEqualTo("Run:\n\n```\n    make\n\tmake install\n```\n\nThen");
        String box = "┌──┐\n│ab│\n└──┘";
        assertThat(of(box)).isEqualTo("```\n" + box + "\n```");
        assertThat(of("Article      Price\nChair          249\nTable         1180"))
                .isEqualTo("```\nArticle      Price\nChair          249\nTable         1180\n```");
        assertThat(of("+----+\n| ab |\n+----+")).startsWith("```\n+----+");
    }

    @Test
    void linesOfWhichFewHaveColumnsAreNoFence() {
        assertThat(of("A line\nwith   a gap\nand two more\nlines")).startsWith("A line\nwith a gap");
        assertThat(of("    indented\nnot indented")).isEqualTo("indented\nnot indented");
    }

    @Test
    void aFenceIsLongerThanEachRunWithin() {
        assertThat(of("    ```\n    code")).isEqualTo("````\n    ```\n    code\n````");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            See https://a.example/x. ; See <https://a.example/x>.
            (https://a.example/x) ; (<https://a.example/x>)
            https://a.example/x?y=1&z=(2)! ; <https://a.example/x?y=1&z=(2>)!
            <https://a.example/x> ; <https://a.example/x>
            HTTPS://A.example ; <https://a.example/>
            https://l.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2F&h=1 ; <https://shop.example/>
            https://a.example/x?utm_source=b ; <https://a.example/x>
            https://{{host}}/x ; https://{{host}}/x
            mailto:kim@a.example, www.a.example ; mailto:kim@a.example, www.a.example
            ftp://a.example/ ; ftp://a.example/
            """)
    void anAddressOfTheWebIsALink(String text, String markdown) {
        assertThat(of(text)).isEqualTo(markdown);
    }

    @Test
    void aLongTargetIsANumberWhereLinksAreShort() {
        String longer = "https://a.example/" + "p".repeat(200);
        MarkdownSource source =
                new MarkdownSource(null, "https://b.example/\n" + longer, null, null, MailKind.ANSWER, Map.of());
        assertThat(written(source, QuoteForm.FOLD, LinkForm.SHORT)).isEqualTo("<https://b.example/>\n<link:2>");
        assertThat(written(source, QuoteForm.FOLD, LinkForm.FULL)).contains(longer);
    }

    private static final String REPLY = """
            Yes, on Friday.

            On Mon, 5 May 2025 at 10:00, Kim <kim@a.example> wrote:
            > Could you ship it?
            >
            > > Which one?
            > The blue one, and the table, and the six cushions
            > that we saw
            > on the second floor
            > last week?
            """;

    @Test
    void aQuotationIsOneLineThatSaysHowLongItIs() {
        assertThat(of(REPLY)).isEqualTo("Yes, on Friday.\n\n> [quoted: 7 lines, 35 words]");
    }

    @Test
    void aQuotationStandsWholeOrNotAtAll() {
        assertThat(of(REPLY, QuoteForm.NONE)).isEqualTo("Yes, on Friday.");
        assertThat(of(REPLY, QuoteForm.FULL)).isEqualTo("""
                        Yes, on Friday.

                        > On Mon, 5 May 2025 at 10:00, Kim \\<kim@a.example> wrote:
                        > Could you ship it?
                        >
                        > > Which one?
                        >
                        > The blue one, and the table, and the six cushions
                        > that we saw
                        > on the second floor
                        > last week?""");
    }

    @Test
    void aShortQuotationThatIsAnsweredBelowStaysOpen() {
        String text = "On Mon, 5 May 2025 at 10:00, Kim <kim@a.example> wrote:\n\n> Blue?\n\nYes."
                + "\n\n> Friday?\n\nNo, Monday.";
        for (QuoteForm form : QuoteForm.values()) {
            assertThat(of(text, form)).contains("> Blue?\n\nYes.\n\n> Friday?\n\nNo, Monday.");
        }
    }

    @Test
    void aForwardAndAReportAreWhole() {
        String forward = "FYI\n\n---------- Forwarded message ---------\nFrom: Kim <kim@a.example>\nDate: Mon\n"
                + "Subject: Chair\nTo: alex@a.example\n\nThe chair is blue.\n";
        assertThat(of(forward, QuoteForm.NONE)).contains("From: Kim", "Subject: Chair", "The chair is blue.");
        String report = "Not delivered.\n\n> Hello\n> world\n";
        MarkdownSource source = new MarkdownSource(null, report, null, null, MailKind.REPORT, Map.of());
        assertThat(written(source, QuoteForm.NONE, LinkForm.FULL)).isEqualTo("Not delivered.\n\n\\> Hello\n\\> world");
    }

    @Test
    void aTextThatIsAnHtmlDocumentIsReadAsOne() {
        assertThat(of("<!DOCTYPE html><html><body><h1>Chair</h1><p>It is <b>blue</b>.</p></body></html>"))
                .isEqualTo("# Chair\n\nIt is **blue**.");
    }

    @Test
    void whereTheHtmlShowsNothingTheTextStands() {
        MarkdownSource source =
                new MarkdownSource(null, "The text", null, "<p style='display:none'>x</p>", MailKind.ANSWER, Map.of());
        assertThat(written(source, QuoteForm.FOLD, LinkForm.FULL)).isEqualTo("The text");
    }

    @Test
    void emptyLinesBetweenQuotedOnesCostTimeInProportionToTheirNumber() {
        String text = "Hi\n\n" + ">> a\n".repeat(10_001) + "\n".repeat(900_000) + ">> c\n\n\n> b";
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(of(text, QuoteForm.FULL)).endsWith("> > c\n>\n> b"));
    }

    @Test
    void hostileTextsCostTimeInProportionToTheirLength() {
        for (String part :
                new String[] {"\n", ">", "> \n", "> > x\n", "*", "[", "`", "a   b\n", "\u202E", "https://a.b/\n"}) {
            assertThat(of(part.repeat(200_000 / part.length()))).isNotNull();
        }
    }
}
