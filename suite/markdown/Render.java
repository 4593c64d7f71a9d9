import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.markdown.LinkForm;
import dev.inboxd.mail.markdown.MailMarkdown;
import dev.inboxd.mail.markdown.MarkdownForm;
import dev.inboxd.mail.markdown.MarkdownPiece;
import dev.inboxd.mail.markdown.MarkdownSource;
import dev.inboxd.mail.markdown.MarkdownWindow;
import dev.inboxd.mail.markdown.QuoteForm;
import dev.inboxd.mail.markdown.TokenEstimate;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.mail.text.HtmlText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes each mail of a folder as Markdown, and measures what that costs beside reading the mail. */
public final class Render {
    private static final MarkdownForm COMPARED = new MarkdownForm(QuoteForm.FULL, LinkForm.FULL);
    private static final MarkdownForm USUAL = new MarkdownForm(QuoteForm.FOLD, LinkForm.FULL);
    private static final MarkdownForm MODELS = new MarkdownForm(QuoteForm.FOLD, LinkForm.SHORT);

    private Render() {}

    /**
     * Writes the Markdown of each HTML file, which begins with U+FEFF, into a file beside it, with open quotations, and
     * prints a line for each: its name, tokens of the HTML, octets and tokens of the Markdown as clients of the API get
     * it, the same as models get it, and whether it is degraded. The last line has the times of one mail on average, in
     * microseconds: to read its MIME structure, to read its HTML, and to write its Markdown from its HTML.
     *
     * @param arguments the folder; for how many seconds times are measured
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        List<String> mails = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "*.html")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".html", "");
                String html = Files.readString(file).substring(1);
                mails.add(html);
                MarkdownWindow compared = window();
                boolean degraded = MailMarkdown.write(source(html), COMPARED, compared);
                Files.writeString(folder.resolve(name + ".md"), compared.piece().text());
                System.out.printf(
                        "%s %d %s %s %b%n",
                        name, TokenEstimate.of(html), figures(html, USUAL), figures(html, MODELS), degraded);
            }
        }
        if (arguments.length > 1) {
            time(mails, Duration.ofSeconds(Long.parseLong(arguments[1])));
        }
    }

    private static MarkdownWindow window() {
        return new MarkdownWindow(0, Long.MAX_VALUE);
    }

    private static MarkdownSource source(String html) {
        return new MarkdownSource(null, null, null, html, MailKind.ANSWER, Map.of());
    }

    private static String figures(String html, MarkdownForm form) {
        MarkdownWindow window = window();
        MailMarkdown.write(source(html), form, window);
        MarkdownPiece piece = window.piece();
        return piece.text().getBytes(StandardCharsets.UTF_8).length + " " + piece.tokens();
    }

    /** The best round over all mails: the first ones are those of a program that was just started. */
    private static void time(List<String> mails, Duration measured) {
        List<byte[]> raw = mails.stream().map(Render::message).toList();
        long[] best = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
        long end = System.nanoTime() + measured.toNanos();
        while (System.nanoTime() < end) {
            long[] at = new long[4];
            at[0] = now();
            raw.forEach(octets -> MessageParser.parse(new ByteArrayInputStream(octets)));
            at[1] = now();
            mails.forEach(ShownHtml::of);
            at[2] = now();
            mails.forEach(html -> MailMarkdown.write(source(html), USUAL, window()));
            at[3] = now();
            for (int i = 0; i < best.length; i++) {
                best[i] = Math.min(best[i], at[i + 1] - at[i]);
            }
        }
        double each = 1000.0 * mails.size();
        System.out.printf(Locale.ROOT, "time %.1f %.1f %.1f%n", best[0] / each, best[1] / each, best[2] / each);
    }

    /** The mail as programs send it: its text beside it, both quoted-printable. */
    private static byte[] message(String html) {
        return """
                From: a@a.example
                To: b@b.example
                Subject: Mail
                MIME-Version: 1.0
                Content-Type: multipart/alternative; boundary=next

                --next
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                %s
                --next
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                %s
                --next--
                """.formatted(quotedPrintable(HtmlText.render(html)), quotedPrintable(html))
                .replace("\n", "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String quotedPrintable(String text) {
        StringBuilder lines = new StringBuilder();
        int start = 0;
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet == '\n') {
                lines.append('\n');
                start = lines.length();
                continue;
            }
            if (lines.length() - start > 72) {
                lines.append("=\n");
                start = lines.length();
            }
            boolean plain = octet >= ' ' && octet < 0x7F && octet != '=';
            lines.append(plain ? (char) octet : String.format("=%02X", octet));
        }
        return lines.toString();
    }

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
