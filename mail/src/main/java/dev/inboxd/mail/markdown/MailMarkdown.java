package dev.inboxd.mail.markdown;

import dev.inboxd.mail.text.HtmlText;

/** Writes what a person sees of a mail as Markdown (markdown.md). */
public final class MailMarkdown {
    private MailMarkdown() {}

    /**
     * Writes the Markdown of a mail. Never fails.
     *
     * @return whether it is degraded: the mail could not be rendered within the limits of time and memory, and its words
     *     stand without structure
     */
    public static boolean write(MarkdownSource source, MarkdownForm form, MarkdownSink sink) {
        String html = source.html() == null ? "" : HtmlText.render(source.html());
        sink.text(html.isEmpty() && source.text() != null ? source.text() : html);
        sink.blockEnd();
        return form.quotes() == null;
    }
}
