package dev.inboxd.mail.markdown;

import dev.inboxd.mail.format.HtmlDocument;
import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.link.BodyTargets;
import dev.inboxd.mail.link.SeenLines;
import dev.inboxd.mail.markdown.page.HtmlMail;
import dev.inboxd.mail.markdown.page.RenderWork;

/** Writes what a person sees of a mail as Markdown (markdown.md). */
public final class MailMarkdown {
    /** Elements and nodes of a body; with more of them its memory would have no bound. */
    private static final int MOST_NODES = 150_000;

    private MailMarkdown() {}

    /**
     * Writes the Markdown of a mail. Never fails. The limits are counted and not measured, so that the same mail has
     * the same Markdown each time.
     *
     * @return whether it is degraded: the mail could not be rendered within the limits of time and memory, and its
     *     words stand without structure
     */
    public static boolean write(MarkdownSource source, MarkdownForm form, MarkdownSink sink) {
        String text = source.text();
        boolean isDocument = source.html() == null && text != null && HtmlDocument.isAtStart(text);
        String html = isDocument ? text : source.html();
        if (html == null) {
            text(source, form, sink);
            return false;
        }
        boolean isAlone = text == null || isDocument;
        HtmlMail mail = read(source, html, form);
        RenderWork work = mail.nodes().work();
        MarkdownBuffer buffer = new MarkdownBuffer(work);
        if (mail.isWhole()) {
            new HtmlWalk(mail, new HtmlWalk.Rules(form.quotes(), work, false), new MarkdownBlocks(buffer)).walk();
        }
        if (mail.isWhole() && !work.isOver() && !buffer.isFull()) {
            // A body that is one quotation shows something, although nothing of it is left without quotations.
            if (isAlone || !buffer.isEmpty() || !mail.quoted().isEmpty()) {
                buffer.copyTo(sink);
            } else {
                text(source, form, sink);
            }
            return false;
        }
        if (isAlone || !text(source, form, sink)) {
            HtmlWalk.Rules words = new HtmlWalk.Rules(form.quotes(), RenderWork.unbounded(), true);
            new HtmlWalk(mail, words, new MarkdownBlocks(sink)).walk();
        }
        return true;
    }

    /** Writes the text body; whether there is anything in it. */
    private static boolean text(MarkdownSource source, MarkdownForm form, MarkdownSink sink) {
        MarkdownBlocks blocks = new MarkdownBlocks(sink);
        if (source.text() != null) {
            BodyTargets targets = new BodyTargets(
                    () -> SeenLines.of(source.shownText()), source.subject(), form.links() == LinkForm.SHORT);
            TextMarkdown.write(source, form.quotes(), targets, blocks);
        }
        return blocks.blocks() > 0;
    }

    private static HtmlMail read(MarkdownSource source, String html, MarkdownForm form) {
        ShownHtml shown = ShownHtml.of(html, MOST_NODES);
        BodyTargets targets =
                new BodyTargets(() -> SeenLines.of(shown), source.subject(), form.links() == LinkForm.SHORT);
        return new HtmlMail(shown, source.files(), source.kind(), targets);
    }
}
