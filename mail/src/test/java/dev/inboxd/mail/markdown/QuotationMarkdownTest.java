package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.reply.MailKind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of quotations (markdown.md §4). */
class QuotationMarkdownTest {
    private static final String GMAIL = """
            <div dir="ltr">Thanks, that works.<br><br>Kim</div><br><div class="gmail_quote">\
            <div dir="ltr" class="gmail_attr">\
            On Mon, 5 May 2025 at 10:00, Ann &lt;<a href="mailto:ann@example.org">ann@example.org</a>&gt; wrote:<br>\
            </div>\
            <blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div dir="ltr">Could you come?<br>a<br>b<br>c\
            <blockquote class="gmail_quote">older</blockquote></div></blockquote></div>""";
    private static final String LINES = """
            <p>Hi,</p><p>On Mon, 5 May 2025 at 10:00, Ann &lt;ann@example.org&gt; wrote:</p>\
            <p>&gt; What does it cost?<br>&gt;&gt; older<br>&gt; and when?</p><p>It costs 5.</p>""";
    private static final String OUTLOOK = """
            <p>See below.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">\
            <p><b>From:</b> Ann &lt;ann@x.org&gt;<br><b>Sent:</b> Monday, May 5, 2025 10:00<br><b>To:</b> Kim<br>\
            <b>Subject:</b> Chair</p></div><p>Old text here.</p>""";

    @Test
    void isOneLineThatSaysHowLongItIs() {
        assertThat(MarkdownOf.fold(GMAIL)).isEqualTo("Thanks, that works.\n\nKim\n\n> [quoted: 6 lines, 17 words]");
    }

    @Test
    void standsBehindSigns() {
        assertThat(MarkdownOf.of(GMAIL, QuoteForm.FULL)).isEqualTo("""
                Thanks, that works.

                Kim

                > On Mon, 5 May 2025 at 10:00, Ann \\<<mailto:ann@example.org>> wrote:
                >
                > Could you come?
                > a
                > b
                > c
                >
                > > older""");
    }

    @Test
    void isLeftOut() {
        assertThat(MarkdownOf.of(GMAIL, QuoteForm.NONE)).isEqualTo("Thanks, that works.\n\nKim");
    }

    @Test
    void isNotTakenFromTheTextWhereTheHtmlHasNothingElse() {
        String quotation = GMAIL.substring(GMAIL.indexOf("<div class=\"gmail_quote\">"));
        var mail = new MarkdownSource(
                null, "On Monday Ann wrote:\nCould you come?", null, quotation, MailKind.ANSWER, Map.of());
        assertThat(MarkdownOf.of(mail, QuoteForm.NONE)).isEmpty();
        assertThat(MarkdownOf.of(mail, QuoteForm.FULL)).contains("> older");
    }

    @Test
    void staysOpenWhereTheAuthorAnswersAShortOne() {
        for (QuoteForm form : QuoteForm.values()) {
            assertThat(MarkdownOf.of(LINES, form)).isEqualTo("""
                    Hi,

                    > On Mon, 5 May 2025 at 10:00, Ann \\<ann@example.org> wrote:
                    >
                    > What does it cost?
                    >
                    > > older
                    >
                    > and when?

                    It costs 5.""");
        }
    }

    @Test
    void aHeaderBlockBeginsOneInAnAnswerAlone() {
        var answer = new MarkdownSource(null, null, null, OUTLOOK, MailKind.ANSWER, Map.of());
        var forward = new MarkdownSource(null, null, null, OUTLOOK, MailKind.STANDALONE, Map.of());
        assertThat(MarkdownOf.of(answer, QuoteForm.FOLD)).isEqualTo("See below.\n\n> [quoted: 5 lines, 16 words]");
        assertThat(MarkdownOf.of(forward, QuoteForm.FOLD)).endsWith("**Subject:** Chair\n\nOld text here.");
    }

    private static final String CITED = """
            <p>Hi</p><p>On Mon, 5 May 2025 at 10:00, Ann &lt;ann@example.org&gt; wrote:</p>\
            <blockquote type=cite>a<br>b<br>c<br>d<br>e<br>f</blockquote>""";

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            <p><a href='https://a.test/'>Here</a> is the doc</p> ; [Here](https://a.test/) is the doc
            <p> <b><i>x</i></b> y</p>                            ; ***x*** y
            <h2>Head</h2><p>x</p>                                ; ## Head\\n\\nx
            <pre>a  b</pre><p>x</p>                              ; ```\\na  b\\n```\\n\\nx
            <ul><li>a</li></ul>                                  ; - a
            <blockquote>my own</blockquote>                      ; > my own
            <table><tr><th>A<th>B<tr><td>1<td>2</table>          ; | A | B |\\n| --- | --- |\\n| 1 | 2 |
            <p><img src=x width=50 height=50 alt=''></p><p>x</p> ; x
            """)
    void whatStandsBehindOneIsAsItIsWithoutOne(String own, String markdown) {
        String expected = markdown.replace("\\n", "\n");
        String folded = expected.startsWith("> ") ? "\n\n> [quoted: 7 lines, 16 words]\n\n" : "";
        assertThat(MarkdownOf.of(CITED + own, QuoteForm.NONE)).isEqualTo("Hi\n\n" + expected);
        assertThat(MarkdownOf.of(CITED + own, QuoteForm.FOLD))
                .endsWith(" words]\n\n" + expected)
                .contains(folded);
        assertThat(MarkdownOf.of(CITED + own, QuoteForm.FULL)).endsWith("> f\n\n" + expected);
    }

    @Test
    void hasItsTablesAndFences() {
        String html = """
                <p>Hi</p><p>On Mon, 5 May 2025 at 10:00, Ann &lt;ann@example.org&gt; wrote:</p><blockquote type=cite>\
                <table><tr><th>A<th>B<tr><td>1<td>2</table><pre>a  b</pre></blockquote><p>x</p>""";
        assertThat(MarkdownOf.of(html, QuoteForm.FULL))
                .endsWith("> | A | B |\n> | --- | --- |\n> | 1 | 2 |\n>\n> ```\n> a  b\n> ```\n\nx");
    }

    @Test
    void inAnItemOfTheAuthorsStandsInThatItem() {
        String quote = "<div class=gmail_quote><div class=gmail_attr>On Mon, 5 May 2025 at 10:00, Ann "
                + "&lt;ann@example.org&gt; wrote:</div><blockquote class=gmail_quote>a<br>b<br>c<br>d<br>e<br>f"
                + "</blockquote></div>";
        String html = "<ol><li>Price?" + quote + "Five.</li><li>Two</li></ol>";
        assertThat(MarkdownOf.of(html, QuoteForm.FOLD))
                .isEqualTo("1. Price?\n\n   > [quoted: 7 lines, 16 words]\n\n   Five.\n2. Two");
        assertThat(MarkdownOf.of(html, QuoteForm.NONE)).isEqualTo("1. Price?\n\n   Five.\n2. Two");
        assertThat(MarkdownOf.of(html, QuoteForm.FULL))
                .startsWith("1. Price?\n\n   > On Mon")
                .endsWith("   > f\n\n   Five.\n2. Two");
    }

    @Test
    void aForwardIsWhole() {
        String html = """
                <p>FYI</p><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>\
                From: <b>Bob</b> &lt;bob@x.org&gt;<br>Subject: Plan<br>To: kim@x.org<br></div><p>The plan.</p></div>""";
        assertThat(MarkdownOf.of(html, QuoteForm.NONE))
                .startsWith("FYI\n\n---------- Forwarded")
                .endsWith("The plan.");
    }

    @Test
    void aReportHasNone() {
        assertThat(MarkdownOf.report(GMAIL)).contains("Could you come?");
    }

    @Test
    void whatStandsBehindAQuotationInAnItemIsNoCode() {
        String quoted = "<blockquote type=cite>c</blockquote>";
        for (QuoteForm form : QuoteForm.values()) {
            String markdown = MarkdownOf.of("<ol start=100><li>a" + quoted + "<p>b</p><li>d</ol>", form);
            assertThat(MarkdownReader.kinds(markdown)).as(markdown).doesNotContain("IndentedCodeBlock");
            assertThat(MarkdownReader.words(markdown)).startsWith("a").endsWith("b d");
        }
        assertThat(MarkdownReader.kinds(MarkdownOf.fold("<ul><li>x<ul><li><pre>`\n&gt;e\nf</pre></ul></ul>")))
                .doesNotContain("IndentedCodeBlock");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '^', textBlock = """
            <p>News</p><p><a href='https://a.test/'>&gt; Read more</a></p> ^ [> Read more](https://a.test/)
            <p>News</p><p>&gt; <a href='https://a.test/'>Read more</a></p> ^ \\> [Read more](https://a.test/)
            <p>News</p><p><b>&gt;</b> <i><a href='https://a.test/'>All</a></i></p> ^ **>** *[All](https://a.test/)*
            <p>News</p><p>&gt;&nbsp;<a href='https://a.test/'>All</a> </p><p>x</p> ^ \\> [All](https://a.test/)\\n\\nx
            <p>Run:</p><pre>&gt;&gt;&gt; print(1)\\n1\\n&gt;&gt;&gt; x</pre> ^ ```\\n>>> print(1)\\n1\\n>>> x\\n```
            <p>Diff:</p><pre>&gt; @@ -1 +1 @@\\n&gt;   a</pre><p>x</p> ^ ```\\n> @@ -1 +1 @@\\n>   a\\n```\\n\\nx
            <p>Type</p><p><code>&gt; ls</code></p> ^ `> ls`
            <p>See</p><table><tr><td>&gt;<td><a href='https://a.test/'>All</a></table> ^ \\>\\n\\n[All](https://a.test/)
            """)
    void aSignOfALinkOrOfCodeBeginsNone(String html, String markdown) {
        for (QuoteForm form : QuoteForm.values()) {
            assertThat(MarkdownOf.of(html.replace("\\n", "\n"), form)).endsWith(markdown.replace("\\n", "\n"));
        }
    }

    @Test
    void aTextThatStandsInOnePreformattedElementIsQuotedAsATextIs() {
        String text = "Hi,\n\nOn Mon, 5 May 2025 at 10:00, Ann &lt;ann@example.org&gt; wrote:\n&gt; a\n&gt; b\n&gt; c\n"
                + "&gt; d\n&gt; e\n\nYes.\n\n&gt; f\n&gt; g\n&gt; h\n&gt; i\n&gt; j\n&gt; k\n\nNo.\n";
        assertThat(MarkdownOf.fold("<pre>" + text + "</pre>"))
                .contains("> [quoted: 6 lines, 15 words]", "> [quoted: 6 lines, 6 words]")
                .endsWith("No.");
    }
}
