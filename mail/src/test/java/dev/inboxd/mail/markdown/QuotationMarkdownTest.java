package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.reply.MailKind;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
        var answer = new MarkdownSource(null, null, OUTLOOK, MailKind.ANSWER, Map.of());
        var forward = new MarkdownSource(null, null, OUTLOOK, MailKind.OTHER, Map.of());
        assertThat(MarkdownOf.of(answer, QuoteForm.FOLD)).isEqualTo("See below.\n\n> [quoted: 5 lines, 16 words]");
        assertThat(MarkdownOf.of(forward, QuoteForm.FOLD)).endsWith("**Subject:** Chair\n\nOld text here.");
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
}
