package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.markdown.MarkdownSource;
import dev.inboxd.mail.reply.ExtractedReply;
import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stored message whose bodies are shown as Markdown. */
public final class MessageMarkdown {
    private final MessageContents contents;

    /** Shows messages with these contents. */
    public MessageMarkdown(MessageContents contents) {
        this.contents = contents;
    }

    /**
     * A single message: its members without its bodies and its header, and its Markdown behind them.
     *
     * @param deliveries how each recipient of a sent message stands; null where that is not shown
     */
    public JsonObject single(
            Caller caller, FullMessage found, MarkdownQuery query, @Nullable List<JsonObject> deliveries) {
        ReadableContent shown = contents.readable(found.content());
        JsonObject json = MessageJson.single(caller.organization(), found.message(), shown, found.attachments())
                .without("headers")
                .with("hidden_text", hidesWords(shown) ? true : null)
                .with("deliveries", deliveries);
        return MessageJson.extended(json, caller, found)
                .withAll(RenderedMarkdown.of(source(shown, found), query).members());
    }

    /** The piece of the Markdown of a message with these attachments that is asked for. */
    RenderedMarkdown rendered(FullMessage found, MarkdownQuery query) {
        return RenderedMarkdown.of(source(contents.readable(found.content()), found), query);
    }

    private static boolean hidesWords(ReadableContent shown) {
        return shown.html() != null && shown.extracted().hidesWords();
    }

    private static MarkdownSource source(ReadableContent shown, FullMessage found) {
        InlineFileNames files = new InlineFileNames();
        found.attachments().forEach(each -> files.add(each.contentId(), each.filename()));
        boolean refers = shown.inReplyTo() != null || !shown.references().isEmpty();
        MailKind kind = ExtractedReply.isReport(shown.headers())
                ? MailKind.REPORT
                : MailKind.of(refers, found.message().subject());
        return new MarkdownSource(shown.text(), shown.flowed(), shown.html(), kind, files.byContentId());
    }
}
