package dev.inboxd.mail.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <pre>one\\n  two\\n\\n\\n\\tthree</pre> | one\\n  two\\n\\n\\n\\tthree
            <p>Run:</p><pre><code>one\\n  <b>two</b>\\n</code></pre><p>End</p> | Run:\\n\\none\\n  two\\n\\nEnd
            <div style="white-space: pre-wrap">a\\n  b  c</div> | a\\n  b  c
            <span style="white-space: pre">Name  Sum\\nBob   12</span> | Name  Sum\\nBob   12
            <div style="white-space:pre-line">a\\n   b    c</div> | a\\nb c
            <style>.c{white-space:break-spaces}</style><div class=c>a\\n  b</div> | a\\n  b
            <pre style="white-space:normal">a\\n  b</pre> | a b
            <div style="white-space:pre-wrap">a <b style="white-space:nowrap">b\\n  c</b></div> | a b c
            <div style="white-space:anything">a\\n  b</div> | a b
            <pre>a<br>  b</pre> | a\\n  b
            <p>a\\n  b</p> | a b
            """)
    void preformattedTextKeepsItsLinesAndBlanks(String html, String text) {
        assertThat(HtmlText.render(html.replace("\\n", "\n").replace("\\t", "\t")))
                .isEqualTo(text.replace("\\n", "\n").replace("\\t", "\t"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <p>Is Friday fine? <img alt="✅" src="cid:e"> yes</p> | Is Friday fine? [✅] yes
            <div><img alt="👍"></div> | [👍]
            <img alt="👍"> <img alt="👍"> | [👍] [👍]
            <a href="https://x.test"><img alt="Confirm booking 3391"></a> | Confirm booking 3391
            <a href="https://x.test">Go<img alt="on"></a> now | Go on now
            <button><img alt="Pay"></button> | Pay
            <input type="image" alt="Pay"> | Pay
            <a name="x"><img alt="A map"></a> | [A map]
            <td style="font-size:0"><img alt="A map" width="100%"></td> | [A map]
            <img alt="four" width="4" height="4px"> | [four]
            <ul><li><img alt="one"></li><li><img alt="two"></li></ul> | - [one]\\n- [two]
            <p><img alt="Acme"> Acme, Berlin</p> | Acme, Berlin
            <div><img alt="Acme"></div><div>Acme</div> | Acme
            <div>Acme</div><div><img alt="acme"></div>Berlin | Acme\\nBerlin
            <img alt="star"><img alt="star"><img alt="star"> good | [star] good
            """)
    void aPictureIsWhatItSays(String html, String text) {
        assertThat(HtmlText.render(html)).isEqualTo(text.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<img alt=''>",
                "<img alt=' &#8203;'>",
                "<img alt='pixel' width=1 height=1>",
                "<img alt='line' width='600' height='3'>",
                "<img alt='pixel' style='width:3px'>",
                "<img alt='gone' style='display:none'>",
                "<img alt='gone' style='visibility:hidden'>",
                "<img alt='gone' style='opacity:0'>",
                "<div style='max-height:0;overflow:hidden'><img alt='gone'></div>",
                "<img src='lamp.png'>",
                "<input alt='field'>"
            })
    void aPictureThatIsNotSeenOrSaysNothingIsNothing(String html) {
        assertThat(HtmlText.render("Lamp " + html)).isEqualTo("Lamp");
    }

    @Test
    void longWordsOfAPictureAreCut() {
        assertThat(HtmlText.render("<img alt='" + "x".repeat(80) + "'>")).isEqualTo("[" + "x".repeat(80) + "]");
        assertThat(HtmlText.render("<img alt='" + "x".repeat(81) + "'>")).isEqualTo("[" + "x".repeat(80) + "...]");
    }
}
