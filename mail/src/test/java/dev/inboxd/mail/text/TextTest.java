package dev.inboxd.mail.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {
    @Test
    void blocksBecomeLinesAndSpacesCollapse() {
        assertThat(HtmlText.render("<html><head><title>t</title><style>p{}</style></head>"
                        + "<body>\n <p>Hello   <b>big</b>\n world</p>"
                        + "<div>one</div><div>two<br>three</div><script>x()</script></body>"))
                .isEqualTo("Hello big world\n\none\ntwo\nthree");
    }

    @Test
    void listsTablesAndPreformattedTextStayReadable() {
        assertThat(HtmlText.render("<ul><li>a</li><li>b</li></ul>"
                        + "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>"
                        + "<pre>x\n  y</pre>"))
                .isEqualTo("- a\n- b\n\n1 2\n3\n\nx\n  y");
    }

    @Test
    void entitiesAndNonBreakingSpacesAreDecoded() {
        assertThat(HtmlText.render("5&nbsp;&euro; &lt;b&gt;&#0;"))
                .startsWith("5 € <b>")
                .doesNotContain("\u0000");
    }

    @Test
    void htmlWithoutTextGivesNothing() {
        assertThat(HtmlText.render("")).isEmpty();
        assertThat(HtmlText.render("<img src=x><br><p> </p>")).isEmpty();
    }

    @Test
    void aPreviewCollapsesWhiteSpace() {
        assertThat(Preview.of("\r\n  Hello\t\n world\u00A0! \u200B\u200C \n")).isEqualTo("Hello world !");
        assertThat(Preview.of("")).isEmpty();
    }

    @Test
    void aPreviewEndsAfter256CodePointsAndNeverInsideOne() {
        assertThat(Preview.of("x".repeat(300))).hasSize(256);
        assertThat(Preview.of("\uD83D\uDE00".repeat(300))).isEqualTo("\uD83D\uDE00".repeat(256));
        assertThat(Preview.of("x".repeat(255) + " y")).isEqualTo("x".repeat(255));
        assertThat(Preview.of("x".repeat(254) + " y")).hasSize(256);
    }
}
