package dev.inboxd.mail.markdown;

import dev.inboxd.mail.reply.MailKind;
import java.util.Map;

/** Markdown of mail for tests. */
final class MarkdownOf {
    private MarkdownOf() {}

    static String fold(String html) {
        return of(html, QuoteForm.FOLD);
    }

    /** Of a mail that has no quotations. */
    static String report(String html) {
        return of(new MarkdownSource(null, null, null, html, MailKind.REPORT, Map.of()), QuoteForm.FOLD);
    }

    static String of(String html, QuoteForm quotes) {
        return of(new MarkdownSource(null, null, null, html, MailKind.ANSWER, Map.of("logo@x", "logo.png")), quotes);
    }

    static String of(MarkdownSource source, QuoteForm quotes) {
        StringBuilder all = new StringBuilder();
        MailMarkdown.write(source, new MarkdownForm(quotes, LinkForm.FULL), all::append);
        return all.toString();
    }
}
