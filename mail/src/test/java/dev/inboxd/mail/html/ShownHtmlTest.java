package dev.inboxd.mail.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.text.HtmlText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees of the HTML of a mail, row by row of {@code sight.txt}. */
class ShownHtmlTest {
    private static final String WORDS = "seven blue boats";

    static Stream<Arguments> rows() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("mail/src/test/resources/sight.txt"))) {
            if (line.startsWith("  ")) {
                rows.add(rows.removeLast() + " " + line.strip());
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                rows.add(line);
            }
        }
        assertThat(rows).hasSizeGreaterThan(150);
        return rows.stream().map(row -> Arguments.of(row.substring(0, 6).strip(), row.substring(8)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatAPersonSeesIsInTheTextAndWhatIsHiddenIsNot(String kind, String html) {
        String text = HtmlText.render(html.replace("§", WORDS));
        assertThat(text.contains(WORDS)).as(text).isEqualTo(!kind.equals("hidden"));
    }

    /** What is shown in doubt is suspected, so the screen judges it as hidden; what a person surely sees is not. */
    @ParameterizedTest
    @MethodSource("rows")
    void whatIsSurelySeenIsNotSuspectedAndTheRestIs(String kind, String html) {
        List<Concealment> suspicions = new ArrayList<>();
        ShownHtml.of(html).visit((text, look) -> {
            if (text.getWholeText().contains("§")) {
                suspicions.add(look.suspicion());
            }
        });
        boolean suspected = suspicions.stream().anyMatch(Objects::nonNull) || suspicions.isEmpty();
        assertThat(suspected).isEqualTo(!kind.equals("shown"));
    }

    /** What is shown in doubt is suspected, so the screen judges it as hidden. */
    @Test
    void whatIsNotReadIsShownAndSuspected() {
        String rules = "<style>" + ".h{color:red}".repeat(3_000) + ".h{display:none}</style><p class=h>" + WORDS;
        assertThat(HtmlText.render(rules)).contains(WORDS);
        String hidden = "<style>p:nth-child(1){display:none}</style><p>" + WORDS;
        List<Concealment> suspicions = new ArrayList<>();
        ShownHtml.of(hidden).visit((text, look) -> suspicions.add(look.suspicion()));
        assertThat(suspicions).containsExactly(Concealment.NOT_LAID_OUT);
    }

    /** Programs for newsletters write thousands of rules into each mail, whether it has such elements or not. */
    @Test
    void rulesForWhatAMailDoesNotHaveLeaveRoomForOthers() {
        String unused = ".a{color:red}#a p{color:red}blockquote.h{color:red}.h .a{color:red}".repeat(1_000);
        String html = "<style>" + unused + ".H{color:red}.h{display:none}</style><div><p class=h>" + WORDS;
        assertThat(HtmlText.render(html)).isEmpty();
    }

    /** A selector of other case may hold (HTML in quirks mode), so it is no rule for what the mail does not have. */
    @Test
    void namesOfAnotherCaseMayHold() {
        String html = "<style>#A .B{display:none}</style><div id=a><p class=b>" + WORDS;
        List<Concealment> suspicions = new ArrayList<>();
        ShownHtml.of(html).visit((text, look) -> suspicions.add(look.suspicion()));
        assertThat(suspicions).containsExactly(Concealment.NOT_LAID_OUT);
    }

    /** What a second visitor sees is what the first saw, also when nodes were taken out between them. */
    @Test
    void allVisitorsSeeTheSame() {
        ShownHtml html = ShownHtml.of("<style>.h{display:none}</style><div style='opacity:.04'><p>a</p><p class=h>b</p>"
                + "<p style='opacity:.05'>" + WORDS + "</p></div><p>seen</p>");
        assertThat(HtmlText.render(html)).isEqualTo(HtmlText.render(html)).doesNotContain(WORDS);
        html.document().select("div > p:first-of-type").remove();
        assertThat(HtmlText.render(html)).contains("seen").doesNotContain(WORDS);
        html.inlineLook();
        assertThat(HtmlText.render(html)).contains("seen").doesNotContain(WORDS);
    }

    @Test
    void wordsThatAreHiddenAreNoted() {
        assertThat(ShownHtml.of("<p>Hello</p><div hidden>You</div>").hidesWords())
                .isTrue();
        assertThat(ShownHtml.of("<p>Hello</p><!-- ask the user -->").hidesWords())
                .isTrue();
        assertThat(ShownHtml.of("<!-- ask the user --><p>Hello</p>").hidesWords())
                .isTrue();
        assertThat(ShownHtml.of("<!--[if mso]><xml>96</xml><![endif]--><title>T</title><p>Hello</p>"
                                + "<!--[if mso]><table><tr><![endif]--><div hidden>&zwnj;&nbsp;</div>")
                        .hidesWords())
                .isFalse();
    }

    /** Sheets and elements that multiply each other cost no more than the HTML does, and hide nothing then. */
    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            strings = {
                "div div div div div div div div b{display:none}",
                "[class*=a] [class*=b] i{color:red}",
                ".a.b.c.d.e.f{display:none}",
                "*{opacity:0.5}",
                "a,b,i,u,p,div{color:#fff;background:#fff}",
                ".x{.y{.z{display:none}}}",
                "@media screen{@media screen{b{display:none}}}",
                "@keyframes k{from{opacity:0}20%,50%{left:0}}b{animation:k 1s,k}",
                "b,i,div{animation:k}@keyframes k{0%,1%,2%,3%,4%,5%,6%,7%,8%,9%,10%,11%{color:#fff}}",
                "b{margin:calc(((((1px + 2px) * 3",
                "(((((((((",
                "a{b:\"",
                "a{b:c;}}}}"
            })
    void hostileSheetsCostBoundedTime(String rule) {
        String sheet = "<style>" + rule.repeat(400_000 / rule.length()) + "</style>";
        String nested = "<div class=\"a b c d e f\">".repeat(400) + "<b>x</b><i>y</i>".repeat(10_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        HtmlText.render(sheet + nested);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(2));
    }

    /** Each place of the attribute is compared with a value that differs in its last letter. */
    @Test
    void aSelectorThatLooksForALongTextInAnAttributeCostsBoundedTime() {
        String rule = "[title*=\"" + "a".repeat(7_900) + "b\"]{color:red}";
        String html =
                "<style>" + rule.repeat(3) + "</style>" + ("<p title=\"" + "a".repeat(100_000) + "\">x</p>").repeat(4);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        HtmlText.render(html);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            strings = {
                "transform:rotate(1deg) scale(.9);",
                "text-shadow:0 0 #fff,1px 1px 9px #fff;",
                "background:linear-gradient(#fff,#eee,#fff);-webkit-background-clip:text;",
                "filter:blur(1px) brightness(1);",
                "left:calc(1px + (2px * 3));position:relative;",
                "animation:k 1s, k 2s;",
                "animation:j,j,j,j;"
            })
    void valuesThatAreCopiedIntoManyElementsCostBoundedTime(String declarations) {
        int colon = declarations.indexOf(':');
        String value = declarations.substring(colon + 1, declarations.indexOf(';'));
        String separator = value.contains("#") || value.contains("k 1s") ? "," : " ";
        // the longest that is read
        String longest = declarations.substring(0, colon + 1)
                + (value + separator).repeat(150 / (value.length() + 1))
                + declarations.substring(colon + 1);
        String frames = "0%{opacity:0;color:#fff}".repeat(100) + "50%{left:0}9%{left:1px}".repeat(20);
        String html = "<style>@keyframes k{" + frames + "}@keyframes j{from{left:9px}to{opacity:0}}</style>"
                + "<p><b style=\"" + longest + "\">" + "x<p>".repeat(40_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        HtmlText.render(html);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void attributesThatAreCopiedIntoManyElementsCostBoundedTime() {
        String style = "color:red;".repeat(2_000) + "opacity:.9";
        String html = "<style>.c1{color:red}</style><b class=\"" + "c1 ".repeat(5_000) + "\" style=\"" + style + "\">"
                + "<p>x".repeat(40_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        HtmlText.render(html);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(2));
    }
}
