package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.util.Random;
import java.util.regex.Matcher;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Entities;
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
                "<p>%s<code>%s</code>%s</p>"
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
        }
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
