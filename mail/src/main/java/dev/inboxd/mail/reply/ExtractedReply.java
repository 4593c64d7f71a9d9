package dev.inboxd.mail.reply;

import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.text.HtmlText;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The new text of a message: without quotes, and without texts that are added below every mail. The rules are in
 * {@code docs/decisions/0016-reply-extraction.md}.
 *
 * @param text null when there is no new text
 * @param html null when there is no new text, or no HTML at all
 * @param hidesWords whether the HTML of the message has words that a person does not see
 */
public record ExtractedReply(
        @Nullable String text, @Nullable String html, boolean hidesWords) {
    /**
     * Extracts both parts. Never fails: a part that cannot be parsed is left out.
     *
     * @param text the text/plain body, or null
     * @param html the text/html body, or null
     * @param isReport whether the message is a report of a mail system, which is kept whole
     */
    public static ExtractedReply of(@Nullable String text, @Nullable String html, boolean isReport) {
        ReplyHtml reply = html == null ? null : attempt(() -> new ReplyHtml(html));
        boolean hides = reply != null && reply.hidesWords();
        if (isReport) {
            return new ExtractedReply(
                    orNull(() -> text != null || html == null ? text : HtmlText.render(html)), html, hides);
        }
        ReplyHtml.Own own = reply == null ? null : attempt(reply::own);
        String ownText = text != null ? orNull(() -> ReplyText.of(text)) : own == null ? null : orNull(own::text);
        return new ExtractedReply(ownText, own == null ? null : own.html(), hides);
    }

    /** This one with another text. */
    public ExtractedReply withText(@Nullable String replacement) {
        return new ExtractedReply(replacement, html, hidesWords);
    }

    /**
     * What was read of HTML.
     *
     * @param full of all of it
     * @param own of what its author wrote anew; the same object where that is all; null when nothing is left
     */
    public record Reading<T>(T full, @Nullable T own) {}

    /**
     * Reads what a person sees of HTML, and of its extracted part by the style sheets of all of it.
     *
     * @param isReport whether the message is a report of a mail system, which is kept whole
     * @return null when it cannot be parsed
     */
    public static <T> @Nullable Reading<T> read(String html, boolean isReport, Function<ShownHtml, T> reader) {
        if (isReport) {
            return attempt(() -> {
                T full = reader.apply(ShownHtml.of(html));
                return new Reading<T>(full, full);
            });
        }
        return attempt(() -> {
            ReplyHtml reply = new ReplyHtml(html);
            T full = reader.apply(reply.shown());
            ReplyHtml.Own own = attempt(reply::own);
            boolean isAll = own != null && own.isAll();
            return new Reading<T>(full, isAll ? full : own == null ? null : reader.apply(own.shown()));
        });
    }

    /**
     * Extracts from a text of joined lines (RFC 3676).
     *
     * @param text a line of the author's own that begins with {@code >} has a space before it
     */
    public static ExtractedReply ofFlowed(String text) {
        return new ExtractedReply(orNull(() -> ReplyText.ofFlowed(text)), null, false);
    }

    /** Extracts the text alone, from HTML only when there is no text/plain body. For previews and for search. */
    public static @Nullable String textOf(@Nullable String text, @Nullable String html, boolean isReport) {
        return of(text, text == null ? html : null, isReport).text();
    }

    /**
     * Whether the header fields are those of a bounce or another report (RFC 6522, RFC 5321 §6.1).
     *
     * @param headers as {@code ParsedMessage#headerMap} gives them; null when there are too many
     */
    public static boolean isReport(@Nullable Map<String, String> headers) {
        if (headers == null) {
            return false;
        }
        boolean isReport = false;
        for (Map.Entry<String, String> field : headers.entrySet()) {
            String name = field.getKey();
            String value = field.getValue();
            if (name.equalsIgnoreCase("auto-submitted") && beginsWith(value, "auto-replied")) {
                // RFC 3834 §3.3: a person's automatic reply, which has a null reverse-path as well
                return false;
            }
            isReport |= name.equalsIgnoreCase("x-failed-recipients")
                    || (name.equalsIgnoreCase("content-type") && beginsWith(value, "multipart/report"))
                    || (name.equalsIgnoreCase("return-path") && value.strip().equals("<>"))
                    || (name.equalsIgnoreCase("from")
                            && value.toLowerCase(Locale.ROOT).contains("mailer-daemon@"));
        }
        return isReport;
    }

    private static boolean beginsWith(String value, String word) {
        return value.strip().regionMatches(true, 0, word, 0, word.length());
    }

    private static @Nullable String orNull(Supplier<@Nullable String> part) {
        String value = attempt(part);
        return value == null || value.isBlank() ? null : value;
    }

    private static <T> @Nullable T attempt(Supplier<@Nullable T> part) {
        try {
            return part.get();
        } catch (RuntimeException unforeseen) {
            return null; // mail.md §13: a field whose extraction throws is omitted
        }
    }
}
