package dev.inboxd.mail.markdown;

import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.link.ShownLinks;
import dev.inboxd.mail.markdown.page.HtmlMail;
import java.util.function.ToIntFunction;

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
        if (source.html() != null) {
            MarkdownBlocks blocks = new MarkdownBlocks(sink);
            RenderTime time = new RenderTime();
            ShownHtml shown = ShownHtml.of(source.html());
            ToIntFunction<String> numbers = form.links() == LinkForm.FULL ? _ -> 0 : ShownLinks.of(shown, null)::number;
            HtmlMail mail = new HtmlMail(shown, source.files(), source.isReport() ? null : source.isReply(), numbers);
            new HtmlWalk(mail, new HtmlWalk.Rules(form.quotes(), time::isOver), blocks).walk();
            if (blocks.blocks() > 0 || source.text() == null) {
                return !mail.isWhole() || time.isOver();
            }
        }
        if (source.text() != null) {
            sink.text(source.text().strip());
            sink.blockEnd();
        }
        return false;
    }
}
