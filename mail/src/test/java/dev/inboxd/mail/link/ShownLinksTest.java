package dev.inboxd.mail.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.html.ShownHtml;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which links a person sees in a mail, and how they are counted. */
class ShownLinksTest {
    @Test
    void eachTargetIsCountedOnceInTheOrderOfTheMail() {
        assertThat(links("""
                        <a href="https://a.example/1"><img src="x" alt="Logo"></a>
                        <p>Read <a href="https://b.example/2">the <b>report</b></a> or https://c.example/3, please.</p>
                        <a href="https://a.example/1">Home</a> <a href="mailto:kim@a.example">Mail</a>
                        <a href="https://d.example/4"><div>A</div><div>button</div></a>
                        <blockquote type="cite"><a href="https://e.example/5">quoted</a></blockquote>"""))
                .containsExactly(
                        "1 https://a.example/1 Logo",
                        "2 https://b.example/2 the report",
                        "3 https://c.example/3 https://c.example/3",
                        "1 https://a.example/1 Home",
                        "4 https://d.example/4 A button",
                        "5 https://e.example/5 quoted");
    }

    @Test
    void whatIsHiddenOrLeadsNowhereIsNone() {
        assertThat(links("""
                        <a href="https://a.example/1" style="display:none">hidden</a>
                        <a href="https://a.example/2"></a>
                        <a href="https://a.example/3"><img src="x" width="1" height="1" alt="pixel"></a>
                        <a href="javascript:go()">go</a> <a href="#top">top</a>
                        <!-- https://a.example/4 -->
                        <span style="font-size:0">https://a.example/5</span>""")).isEmpty();
    }

    @Test
    void aWordsAddressIsNoSecondLink() {
        assertThat(links("<p><a href='https://a.example/1'>https://b.example/2</a>, https://c.example/3</p>"))
                .containsExactly(
                        "1 https://a.example/1 https://b.example/2", "2 https://c.example/3 https://c.example/3");
    }

    @Test
    void thoseOfATextAreItsAddresses() {
        String text = "See <https://a.example/1>.\n> https://b.example/2\n(https://a.example/1)";
        assertThat(of(SeenLines.of(text)))
                .containsExactly(
                        "1 https://a.example/1 https://a.example/1",
                        "2 https://b.example/2 https://b.example/2",
                        "1 https://a.example/1 https://a.example/1");
    }

    @Test
    void thereAreAtMostTwoHundred() {
        StringBuilder html = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            html.append("<a href='https://a.example/").append(i).append("'>x</a> ");
        }
        ShownLinks links = ShownLinks.of(SeenLines.of(ShownHtml.of(html.toString())));
        assertThat(links.number("https://a.example/199")).isEqualTo(200);
        assertThat(links.number("https://a.example/200")).isZero();
    }

    private static List<String> links(String html) {
        return of(SeenLines.of(ShownHtml.of(html)));
    }

    private static List<String> of(List<SeenLine> lines) {
        return ShownLinks.of(lines).places().stream()
                .map(link -> link.number() + " " + link.target() + " "
                        + link.occurrence().words())
                .toList();
    }
}
