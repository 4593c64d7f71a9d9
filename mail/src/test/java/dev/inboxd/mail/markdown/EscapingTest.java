package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.testing.Proves;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Entities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text of a mail is text, wherever it stands (CommonMark 0.31 §2.4). */
class EscapingTest {
    private static final String[] PIECES = {
        "\\",
        "*",
        "**",
        "_",
        "__",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "#",
        "##",
        "+",
        "-",
        "---",
        ".",
        "1.",
        "12)",
        "~",
        "~~",
        "|",
        "=",
        "===",
        "&",
        "&amp;",
        "&#35;",
        "&copy",
        "!",
        "`",
        "``",
        "```",
        ":",
        "\"",
        "'",
        " ",
        " ",
        " ",
        "a",
        "b",
        "word",
        "0",
        "http://x.test/",
        "<b>",
        "</p>",
        "<!--",
        "[x]",
        "[a](b)",
        "[a]: b",
        "![i](j)",
        "é",
        "：",
        "请",
        "€",
        "🎉",
        "|---|",
        "<x@y.test>",
        "<1",
        "<_",
        "@x.test>",
        "[quoted: 3 lines, 4 words]",
        "==",
        ":--",
        "\n",
        "\n"
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<p>%s</p>",
                "<h2>%s</h2>",
                "<ul><li>%s</li></ul>",
                "<blockquote>%s</blockquote>",
                "<table><tr><th>%s</th><th>b</th></tr><tr><td>c</td><td>%s</td></tr></table>",
                "<p><a href='https://t.test/'>%s</a></p>",
                "<p>x<a href='https://t.test/'>%s</a>y %s</p>",
                "<p><b>%s</b></p>",
                "<p>a<b>%s</b>b<i>%s</i>c<s>%s</s>d</p>",
                "<p><b>%s<i>%s</i></b> %s</p>",
                "<p>%s<code>%s</code>%s</p>",
                "<p>%s<a href='https://t.test/?a=`b`'>%s</a>%s<a href='https://t.test/?`'>%s</a></p>",
                "<p>%s<code>a<b>%s</b>b</code>%s<code><i>c</i>%s</code><b>%s</b></p>"
            })
    @Proves("A48")
    void aReaderGetsTheTextBack(String place) {
        Random random = new Random(place.hashCode());
        for (int i = 0; i < 500; i++) {
            String html = place;
            while (html.contains("%s")) {
                String text = text(random);
                String escaped = Entities.escape(text).replace("\n", "<br>");
                html = html.replaceFirst("%s", Matcher.quoteReplacement(escaped));
            }
            String markdown = MarkdownOf.report(html);
            String expected = words(html);
            assertThat(MarkdownReader.words(markdown))
                    .as("%s%n%s", html, markdown)
                    .isEqualTo(expected);
            assertThat(MarkdownReader.kinds(markdown))
                    .as("%s%n%s", html, markdown)
                    .doesNotContain("HtmlInline", "HtmlBlock", "Image", "IndentedCodeBlock", "HardLineBreak")
                    .doesNotContain("LinkReferenceDefinition");
            assertThat(MarkdownReader.foreign(markdown, html))
                    .as("%s%n%s", html, markdown)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {41, 60})
    void cellsOfWideTablesMakeNoStructureTogether(int columns) {
        Random random = new Random(columns);
        for (int i = 0; i < 300; i++) {
            StringBuilder html = new StringBuilder("<table><tr><th>x</th><td>x</td></tr>");
            for (int row = 0; row < 4; row++) {
                html.append("<tr>");
                for (int column = 0; column < columns; column++) {
                    boolean filled = column == 0 || random.nextInt(columns) < 3;
                    html.append("<td>")
                            .append(filled ? Entities.escape(text(random)) : "")
                            .append("</td>");
                }
                html.append("</tr>");
            }
            String markdown = MarkdownOf.report(html.append("</table>").toString());
            assertThat(MarkdownReader.foreign(markdown, html.toString().replace("table", "div")))
                    .as("%s%n%s", html, markdown)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<blockquote>[quoted: 3 lines, 4 words]</blockquote>",
                "<blockquote><b>[quoted: 3 lines, 4 words]</b></blockquote>",
                "<blockquote>&#8206;&#8207;&#8288;[quoted: 3 lines, 4 words]</blockquote>",
                "<blockquote>a<br>&#x2800;&#x3164;&#x061C;[quoted: 3 lines, 4 words]</blockquote>",
                "<blockquote><img alt='quoted: 3 lines, 4 words' width=50 height=50></blockquote>",
                "<blockquote>&#8206;<img alt='quoted: 3 lines, 4 words' width=50 height=50></blockquote>",
                "<blockquote><img src='cid:quoted@x' width=50 height=50></blockquote>"
            })
    void nothingInAMailIsTheLineInPlaceOfAQuotation(String html) {
        var source = new MarkdownSource(
                null, null, null, html, MailKind.ANSWER, Map.of("quoted@x", "quoted: 3 lines, 4 words"));
        assertThat(MarkdownOf.of(source, QuoteForm.FOLD)).contains("\\[quoted: 3 lines, 4 words]");
    }

    @Test
    void aSignThatNothingFollowsHasNoBackslash() {
        assertThat(MarkdownOf.report("<p>5 &lt;6 &gt; 4, &lt;1.5@ &lt;@x&gt; 2&lt;3</p>"))
                .isEqualTo("5 <6 > 4, \\<1.5@ <@x> 2<3");
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(8); n >= 0; n--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static String words(String html) {
        return Jsoup.parse(html).text().strip();
    }
}
