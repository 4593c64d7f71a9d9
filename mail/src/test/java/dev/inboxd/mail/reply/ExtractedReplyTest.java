package dev.inboxd.mail.reply;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.inboxd.testing.MachineSpeed;
import dev.inboxd.testing.Proves;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("alone")
class ExtractedReplyTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long CPU_NANOS = 2_000_000_000;
    private static final String QUOTE = "\n\nOn Mon, 5 May 2025, Ann wrote:\n> Tuesday?";

    @Test
    void textAndHtmlAreEachExtractedFromTheirOwnPart() {
        ExtractedReply extracted =
                ExtractedReply.of("Yes." + QUOTE, "<p>Yes!</p><blockquote type=cite>Tuesday?</blockquote>", false);
        assertThat(extracted).isEqualTo(new ExtractedReply("Yes.", "<p>Yes!</p>", false));
        assertThat(ExtractedReply.of("Yes.", null, false)).isEqualTo(new ExtractedReply("Yes.", null, false));
    }

    @Test
    void theTextOfHtmlAloneIsWhatIsSeenOfItsExtract() {
        ExtractedReply extracted =
                ExtractedReply.of(null, "<p>Yes,</p><p>Bob</p><blockquote type=cite>Tuesday?</blockquote>", false);
        assertThat(extracted).isEqualTo(new ExtractedReply("Yes,\n\nBob", "<p>Yes,</p><p>Bob</p>", false));
        assertThat(ExtractedReply.textOf(null, "<b>Yes</b>", false)).isEqualTo("Yes");
    }

    @Test
    void whatIsEmptyIsLeftOut() {
        assertThat(ExtractedReply.of(null, null, false)).isEqualTo(new ExtractedReply(null, null, false));
        assertThat(ExtractedReply.of(" \n\t\n", "<p> </p>", false)).isEqualTo(new ExtractedReply(null, null, false));
        assertThat(ExtractedReply.of(QUOTE, null, false).text()).isNull();
    }

    @Test
    void reportsAreKeptWhole() {
        String text = "Your message could not be delivered.\n\n-----Original Message-----\nHello\n";
        assertThat(ExtractedReply.of(text, "<p>x</p>", true)).isEqualTo(new ExtractedReply(text, "<p>x</p>", false));
        assertThat(ExtractedReply.of(text, null, false).text()).isEqualTo("Your message could not be delivered.");
        assertThat(ExtractedReply.of(null, "<p>x</p><blockquote type=cite>y</blockquote>", true)
                        .text())
                .isEqualTo("x\n\ny");
    }

    @Test
    void aReportIsKnownByItsHeader() {
        assertThat(ExtractedReply.isReport(Map.of("content-type", "Multipart/Report; report-type=delivery-status")))
                .isTrue();
        assertThat(ExtractedReply.isReport(Map.of("Return-Path", "<>"))).isTrue();
        assertThat(ExtractedReply.isReport(Map.of("From", "Mail System <MAILER-DAEMON@example.org>")))
                .isTrue();
        assertThat(ExtractedReply.isReport(Map.of("X-Failed-Recipients", "a@example.org")))
                .isTrue();
        assertThat(ExtractedReply.isReport(Map.of("Return-Path", "<>", "Auto-Submitted", "auto-replied")))
                .isFalse();
        assertThat(ExtractedReply.isReport(Map.of("From", "jo@example.org", "Content-Type", "text/plain")))
                .isFalse();
        assertThat(ExtractedReply.isReport(null)).isFalse();
    }

    @ParameterizedTest
    @Proves("P14")
    @ValueSource(
            strings = {
                ":\n",
                "On 2025 x wrote\n",
                "> ",
                "a@b 10:00:\n",
                "from: a@b\n",
                "<",
                "sent from x\n",
                "\n",
                "On On On:\n",
                "-- \n",
                "On Mon, 5 May 2025, Ann wrote:\n> q\nx\n",
                "_____\n",
                "x\n\nunsubscribe\n",
                "a <b\n> c\n",
                "---- original message\n",
                "27.11.2026 10:00 a@b:\n> q\n",
                "10:00 <a@b>:\n",
                "---- a ----\nFrom: a@b\nTo: c\n",
                "| From | a@b |\n",
                "x\n\nThis email is confidential\n\n",
            })
    void aMegabyteOfTextIsReadInTime(String piece) {
        String text = piece.repeat(1_000_000 / piece.length());
        within(() -> ExtractedReply.of(text, null, false));
        within(() -> ExtractedReply.of("Note.\n" + text, null, false));
    }

    @ParameterizedTest
    @Proves("P14")
    @ValueSource(
            strings = {
                "<blockquote>",
                "<div class=gmail_quote>a",
                "a<br>",
                "<p>x</p><blockquote type=cite>",
                "<p>q</p>",
                "<blockquote>a</blockquote>",
                "<div class=gmail_signature>x</div>",
                "<b>On 2025 x wrote:<p>",
                "<hr tabindex=-1>",
                "<img alt=picture>",
                "<img alt=picture> picture<br>",
                "<p><img alt=picture></p>",
                "<div style='white-space:pre'>\n \n</div>x",
            })
    void aMegabyteOfHtmlIsReadInTime(String piece) {
        String html = piece.repeat(1_000_000 / piece.length());
        String head = "<div>".repeat(400) + "note<blockquote type=cite>q</blockquote>";
        within(() -> ExtractedReply.of(null, head + html, false));
    }

    /** Where every line stands deep in the tree, nothing may go up and down the tree for each. */
    @ParameterizedTest
    @Proves("P14")
    @ValueSource(strings = {"<div>", "<div class=gmail_signature>", "<blockquote>", "<div class=gmail_quote>"})
    void aMegabyteOfDeepHtmlIsReadInTime(String level) {
        String quote = "note<blockquote type=cite>q</blockquote>";
        for (String piece : new String[] {"x<br>", "On 2025 x wrote:<br>", "<br>", "<i></i>"}) {
            String deep = level.repeat(500) + piece.repeat(24_600);
            within(() -> ExtractedReply.of(null, quote + deep, false));
            within(() -> ExtractedReply.of(null, deep + quote, false));
            within(() -> ExtractedReply.of(null, "own" + deep + "</div>".repeat(500) + quote, false));
        }
        for (String line : new String[] {"x\n", ":\n", "On 2025 x wrote:\n", "> x\n"}) {
            String deep = level.repeat(500) + "<pre>" + line.repeat(900_000 / line.length()) + "</pre>";
            within(() -> ExtractedReply.of(null, quote + deep, false));
            within(() -> ExtractedReply.of(null, deep + quote, false));
        }
    }

    private static void within(Runnable work) {
        long least = Long.MAX_VALUE;
        // A cold JVM on a crowded machine may need a second try; what grows with the square of its input needs a
        // hundred.
        for (int run = 0; run < 3 && least >= CPU_NANOS; run++) {
            long nanos = THREADS.getCurrentThreadCpuTime();
            work.run();
            least = Math.min(least, THREADS.getCurrentThreadCpuTime() - nanos);
        }
        long usual = least < CPU_NANOS ? least : (long) (least / MachineSpeed.slowness());
        assertThat(usual).as("CPU time").isLessThan(CPU_NANOS);
    }
}
