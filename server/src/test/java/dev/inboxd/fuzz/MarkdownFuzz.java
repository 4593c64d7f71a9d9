package dev.inboxd.fuzz;

import dev.inboxd.mail.markdown.LinkForm;
import dev.inboxd.mail.markdown.MailMarkdown;
import dev.inboxd.mail.markdown.MarkdownForm;
import dev.inboxd.mail.markdown.MarkdownPiece;
import dev.inboxd.mail.markdown.MarkdownReader;
import dev.inboxd.mail.markdown.MarkdownSource;
import dev.inboxd.mail.markdown.MarkdownWindow;
import dev.inboxd.mail.markdown.QuoteForm;
import dev.inboxd.mail.markdown.inline.MailCharacters;
import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.mail.text.HtmlText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A mail as Markdown: its pieces joined are the whole; a reader finds the words that a person sees, none that are
 * hidden, and no structure that text brought.
 */
final class MarkdownFuzz {
    private static final String HIDDEN = "zqplantedqz";
    private static final Set<String> NEVER =
            Set.of("HtmlInline", "HtmlBlock", "Image", "LinkReferenceDefinition", "HardLineBreak", "IndentedCodeBlock");

    /** What has words of its own, or moves them. */
    private static final List<String> OTHERWISE = List.of(
            "href", "img", "image", "input", "svg", "math", "object", "select", "textarea", "caption", "foot", "head");

    private MarkdownFuzz() {}

    static void check(FuzzInput in) {
        String html = "<p style='display:none!important'>" + HIDDEN + "</p>" + in.text();
        String text = in.text();
        for (QuoteForm quotes : QuoteForm.values()) {
            String whole = piece(html, new MarkdownForm(quotes, LinkForm.FULL), 0, Long.MAX_VALUE)
                    .text();
            Set<String> foreign = new TreeSet<>(MarkdownReader.kinds(whole));
            foreign.retainAll(NEVER);
            hold(foreign.isEmpty(), foreign + " in " + whole);
            hold(!whole.contains(HIDDEN), "what is hidden in " + whole);
        }
        joined(html);
        words(html);
        String written = written(new MarkdownSource(null, text, null, null, MailKind.REPORT, Map.of()));
        if (!text.contains("://") && !text.contains("<")) {
            same(MailCharacters.preformatted(text), MarkdownReader.words(written), written, false);
        }
    }

    private static void joined(String html) {
        MarkdownForm form = new MarkdownForm(QuoteForm.FOLD, LinkForm.SHORT);
        String whole = piece(html, form, 0, Long.MAX_VALUE).text();
        for (int most : new int[] {60, 400}) {
            StringBuilder joined = new StringBuilder();
            MarkdownPiece piece = piece(html, form, 0, most);
            joined.append(piece.text());
            while (piece.isTruncated() && joined.length() < 1_000) {
                hold(piece.text().codePointCount(0, piece.text().length()) <= most, "a piece that is too long");
                piece = piece(html, form, piece.nextOffset(), most);
                joined.append(piece.text());
            }
            hold(
                    piece.isTruncated() ? whole.startsWith(joined.toString()) : whole.contentEquals(joined),
                    "other pieces than the whole: " + whole);
        }
    }

    /** Letters and digits, where no picture, target or part of a table stands elsewhere or says more. */
    private static void words(String html) {
        String lower = html.toLowerCase(Locale.ROOT);
        if (OTHERWISE.stream().noneMatch(lower::contains)) {
            String written = written(new MarkdownSource(null, null, null, html, MailKind.REPORT, Map.of()));
            same(HtmlText.render(html), MarkdownReader.words(written), written, true);
        }
    }

    private static void same(String expected, String found, String written, boolean isLetters) {
        String one = bare(expected, isLetters);
        String other = bare(found, isLetters);
        hold(one.equals(other), "the text is " + one + ", and the reader's " + other + " of " + written);
    }

    private static String bare(String text, boolean isLetters) {
        return text.codePoints()
                .filter(c -> isLetters
                        ? Character.isLetterOrDigit(c)
                        : !Character.isWhitespace(c) && !Character.isSpaceChar(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String written(MarkdownSource source) {
        MarkdownWindow window = new MarkdownWindow(0, Long.MAX_VALUE);
        MailMarkdown.write(source, new MarkdownForm(QuoteForm.FULL, LinkForm.FULL), window);
        return window.piece().text();
    }

    private static MarkdownPiece piece(@Nullable String html, MarkdownForm form, long offset, long most) {
        MarkdownWindow window = new MarkdownWindow(offset, most);
        MailMarkdown.write(
                new MarkdownSource(null, null, null, html, MailKind.ANSWER, Map.of("a", "a.png")), form, window);
        return window.piece();
    }

    private static void hold(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
