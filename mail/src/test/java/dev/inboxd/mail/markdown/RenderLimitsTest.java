package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.testing.MachineSpeed;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What writing a mail costs: within its limits, whatever stands in it, and not much beside reading it. */
@Tag("alone")
class RenderLimitsTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long CPU_NANOS = 1_000_000_000;
    private static final Map<String, Supplier<String>> BODIES = HostileBodies.all();

    static Stream<String> names() {
        return BODIES.keySet().stream();
    }

    @ParameterizedTest
    @Proves("P14")
    @MethodSource("names")
    void aHostileBodyIsWrittenWithinASecondAndTheSameEachTime(String name) {
        String html = Objects.requireNonNull(BODIES.get(name)).get();
        long least = Long.MAX_VALUE;
        String first = null;
        for (int run = 0; run < 2 || (run < 4 && least >= CPU_NANOS); run++) {
            MarkdownWindow window = new MarkdownWindow(0, Long.MAX_VALUE);
            long before = THREADS.getCurrentThreadCpuTime();
            boolean degraded = MailMarkdown.write(source(html), MarkdownForms.USUAL, window);
            least = Math.min(least, THREADS.getCurrentThreadCpuTime() - before);
            String written = degraded + window.piece().text();
            assertThat(written.equals(Objects.requireNonNullElse(first, written)))
                    .as("the same again")
                    .isTrue();
            first = written;
        }
        long usual = least < CPU_NANOS ? least : (long) (least / MachineSpeed.slowness());
        assertThat(usual).as("CPU time").isLessThan(CPU_NANOS);
    }

    /** In a program of its own: 64 MiB for a mail, and 16 for the program and the body itself. */
    @Test
    @Proves("P14")
    void hostileBodiesTakeAtMost64MebibytesEach() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx80m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HostileProgram.class.getName())
                .redirectErrorStream(true)
                .start();
        try (var said = program.getInputStream()) {
            assertThat(new String(said.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("all\n");
        }
        assertThat(program.waitFor()).isZero();
    }

    /** In turns, so that another program beside this one slows both. Here it is about four times. */
    @Test
    void aMailIsWrittenInNotMuchMoreTimeThanItIsReadIn() {
        String html = Newsletter.html();
        byte[] message = Newsletter.message().getBytes(StandardCharsets.UTF_8);
        double[] ratios = new double[60];
        long written = 0;
        for (int turn = 0; turn < 140 + ratios.length; turn++) {
            long start = THREADS.getCurrentThreadCpuTime();
            var parsed = MessageParser.parse(new ByteArrayInputStream(message));
            written += Jsoup.parse(html).childNodeSize() + parsed.headers().size();
            long read = THREADS.getCurrentThreadCpuTime();
            MarkdownWindow window = new MarkdownWindow(0, Long.MAX_VALUE);
            MailMarkdown.write(source(html), MarkdownForms.USUAL, window);
            written += window.piece().totalChars();
            long end = THREADS.getCurrentThreadCpuTime();
            if (turn >= 140) {
                ratios[turn - 140] = (double) (end - read) / (read - start);
            }
        }
        Arrays.sort(ratios);
        assertThat(written).isPositive();
        assertThat(ratios[ratios.length / 2]).as("times of reading").isLessThan(7);
    }

    private static MarkdownSource source(String html) {
        return new MarkdownSource(null, null, null, html, MailKind.ANSWER, Map.of());
    }
}
