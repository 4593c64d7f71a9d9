package dev.inboxd.mail.markdown;

import dev.inboxd.mail.format.HtmlDocument;
import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.link.ShownLinks;
import dev.inboxd.mail.markdown.page.HtmlMail;
import java.util.function.ToIntFunction;

/** Writes what a person sees of a mail as Markdown (markdown.md). */
public final class MailMarkdown {
    /** Elements and nodes of a body; with more of them its memory would have no bound. */
    private static final int MOST_NODES = 150_000;

    private MailMarkdown() {}

    /**
     * Writes the Markdown of a mail. Never fails.
     *
     * @return whether it is degraded: the mail could not be rendered within the limits of time and memory, and its
     *     words stand without structure
     */
    public static boolean write(MarkdownSource source, MarkdownForm form, MarkdownSink sink) {
        RenderTime time = new RenderTime();
        boolean degraded = false;
        String text = source.text();
        boolean isDocument = source.html() == null && text != null && HtmlDocument.isAtStart(text);
        String html = isDocument ? text : source.html();
        if (html != null) {
            HtmlMail mail = read(source, html, form);
            degraded = !mail.isWhole() || time.isOverNow();
            boolean isAlone = text == null || isDocument;
            if (!degraded || isAlone) {
                MarkdownBlocks blocks = new MarkdownBlocks(sink);
                boolean plain = degraded;
                new HtmlWalk(mail, new HtmlWalk.Rules(form.quotes(), () -> plain || time.isOver()), blocks).walk();
                if (blocks.blocks() > 0 || isAlone) {
                    return degraded || time.isOver();
                }
            }
        }
        if (text != null) {
            ToIntFunction<String> numbers =
                    form.links() == LinkForm.FULL ? _ -> 0 : ShownLinks.of(null, source.shownText())::number;
            TextMarkdown.write(source, form.quotes(), numbers, new MarkdownBlocks(sink));
        }
        return degraded;
    }

    private static HtmlMail read(MarkdownSource source, String html, MarkdownForm form) {
        ShownHtml shown = ShownHtml.of(html, MOST_NODES);
        ToIntFunction<String> numbers = form.links() == LinkForm.FULL ? _ -> 0 : ShownLinks.of(shown, null)::number;
        return new HtmlMail(shown, source.files(), source.kind(), numbers);
    }
}
