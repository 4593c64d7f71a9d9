package dev.inboxd.mail.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.html.HtmlTree;
import dev.inboxd.mail.html.ShownHtml;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of the HTML of a mail. */
class SafeMarkupTest {
    private static SafeMarkup markup(String html) {
        return SafeMarkup.of(html, cid -> cid.equals("logo") ? "../content/t/1" : "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>attack()</script>",
                "<img src=x onerror=attack()>",
                "<svg onload=attack()><script>attack()</script></svg>",
                "<math><mtext></p><style><img src=x onerror=attack()></style></math>",
                "<a href=\"javascript:attack()\">x</a>",
                "<a href=\"jav\tascript:attack()\">x</a>",
                "<a href=\" &#106;avascript:attack()\">x</a>",
                "<a href=\"data:text/html,<script>attack()</script>\">x</a>",
                "<form action=http://attack.test><input name=a><button formaction=http://attack.test>x</button></form>",
                "<base href=http://attack.test>",
                "<meta http-equiv=refresh content=\"0;url=http://attack.test\">",
                "<link rel=stylesheet href=http://attack.test/a.css>",
                "<style>@import url(http://attack.test/a.css);</style>",
                "<div style=\"background:url(http://attack.test/a.png)\">x</div>",
                "<div style=\"background-color:red;background-image:u\\72l(http://attack.test)\">x</div>",
                "<div style=\"width:expression(attack())\">x</div>",
                "<div style=\"color:red;position:fixed;inset:0\">x</div>",
                "<div style=\"color:rgb(1,2,3) url(http://attack.test)\">x</div>",
                "<iframe src=http://attack.test></iframe>",
                "<object data=http://attack.test></object><embed src=http://attack.test>",
                "<video poster=http://attack.test/a.png src=http://attack.test/a.mp4></video>",
                "<img srcset=\"http://attack.test/a.png 2x\">",
                "<img src=\"//attack.test/a.png\">",
                "<table background=http://attack.test/a.png><td background=http://attack.test/b.png>x</table>",
                "<img src=\"data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImF0dGFjaygpIi8+\">",
                "<noscript><p title=\"</noscript><img src=x onerror=attack()>\">",
                "<template><script>attack()</script></template>",
                "<p title='\"><script>attack()</script>'>x</p>",
                "<!--><script>attack()</script>-->",
                "<x-attack onclick=attack()>x</x-attack>"
            })
    void nothingActsOrLoads(String attack) {
        String html = markup("<p>before</p>" + attack + "<p>after</p>").html();
        String lower = html.toLowerCase(Locale.ROOT);
        assertThat(HtmlTree.parse(html)
                        .select("script,svg,math,form,input,button,base,meta,link,style,iframe,object,embed,"
                                + "video,template,"
                                + "[onerror],[onload],[onclick],[srcset],[poster],"
                                + "[background],[action],[formaction]"))
                .as(html)
                .isEmpty();
        assertThat(HtmlTree.parse(html).select("img")).as(html).isEmpty();
        assertThat(HtmlTree.parse(html).select("a[href]")).as(html).isEmpty();
        assertThat(lower).doesNotContain("url(", "expression(", "position", "@import");
        assertThat(html).contains("before");
    }

    @Test
    void theLookOfAnOrdinaryMailStays() {
        SafeMarkup markup = markup("<h1 style=\"color:#0a5;margin:0 0 8px\">Hi</h1><table border=1><tr><td align=right"
                + " style=\"background-color:rgb(1,2,3)\">a</td></tr></table><p>Go <b>on</b></p>");
        assertThat(markup.html())
                .contains("color:#0a5", "margin:0 0 8px", "<td align=\"right\"", "rgb(1,2,3)", "<b>on</b>");
        assertThat(markup.remote()).isEmpty();
    }

    @Test
    void picturesOfTheMailStayAndRemoteOnesAreCounted() {
        SafeMarkup markup = markup("<img src=cid:logo alt=Logo><img src=cid:other alt=Gone>"
                + "<img src=https://spy.test/p.gif?id=7><img src=http://spy.test/q alt=\"A <b>boat</b>\">"
                + "<img src=\"data:image/png;base64,iVBORw0KGgo=\">");
        assertThat(markup.html())
                .contains("src=\"../content/t/1\"", "[Gone]", "[image]", "[A &lt;b&gt;boat&lt;/b&gt;]", "iVBORw0KGgo=")
                .doesNotContain("spy.test");
        assertThat(markup.remote()).hasSize(2);
    }

    @Test
    void aLinkThatNamesAnotherHostSaysWhereItLeads() {
        String html = markup("<a href=\"https://evil.test/x\">https://bank.example/pay</a>"
                        + "<a href=\"https://www.shop.example/a\">shop.example</a>"
                        + "<a href=\"https://else.test\">here</a>"
                        + "<a href=\"https://bank.example.evil.test\">bank.example</a>")
                .html();
        assertThat(html)
                .contains("[this link leads to evil.test]", "[this link leads to bank.example.evil.test]")
                .doesNotContain("leads to www.shop.example", "leads to else.test");
        assertThat(html).contains("rel=\"noopener noreferrer nofollow\"", "target=\"_blank\"");
    }

    /** The frame is white with black letters; what its sheets and pictures made legible stays so without them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a style=\"background:#c00;color:#fff\">words</a>",
                "<p style=\"background:url(http://x.test/a.png);color:#fff\">words</p>",
                "<p style=\"background-image:linear-gradient(#000,#111);color:white\">words</p>",
                "<table><tr><td background=\"http://x.test/a.png\"><font color=white>words</font></td></tr></table>",
                "<style>.b{background:#5850ec}</style><a class=b style=\"color:#fff\">words</a>",
                "<style>td.b{background-color:#000} .w{color:#fff}</style><table><tr><td class=b><i class=w>words</i>"
                        + "</td></tr></table>",
                "<style>.b{background:#fff}</style><div style=\"background:#000;color:#fff\"><div class=b"
                        + " style=\"color:#000\">words</div></div>",
                "<body bgcolor=\"#003366\" text=\"#ffffff\">words</body>",
                "<body style=\"background:#036\"><p style=\"color:#fff\">words</p></body>",
                "<style>@media (min-width:400px){.d{display:block!important}}</style><p class=d"
                        + " style=\"display:none\">words</p>",
                "<style>.s{font-size:16px}</style><div style=\"font-size:0\"><span class=s>words</span></div>",
                "<font color=white>words</font>"
            })
    void whatIsTakenOutMakesNoUnseenText(String html) {
        ShownHtml clean = ShownHtml.of(
                "<body style=\"background:#fff;color:#111\">" + markup(html).html());
        assertThat(HtmlText.render(clean)).as(markup(html).html()).isEqualTo("words");
    }

    @Test
    void depthAndNumberOfElementsAreBounded() {
        assertThat(markup("<div>".repeat(200_000) + "x").html().length()).isLessThan(2_000_000);
        assertThat(markup("<b>".repeat(2_000) + "<p>".repeat(2_000)).html().length())
                .isLessThan(4_000_000);
    }
}
