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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stored message whose bodies are shown as Markdown. */
public final class MessageMarkdown {
    /** Octets of a message that is rendered at once: it takes a few milliseconds. */
    private static final long SMALL = 32 * 1024;

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
            Caller caller, FullMessage fullMessage, MarkdownQuery query, @Nullable List<JsonObject> deliveries) {
        ReadableContent shown = contents.readable(fullMessage.content());
        MarkdownAnswer rendered = ofThread(caller.organization(), fullMessage, query);
        JsonObject json = MessageJson.single(
                        caller.organization(), fullMessage.message(), shown, fullMessage.attachments())
                .without("headers")
                .with("hidden_text", rendered.hidesWords() ? true : null)
                .with("deliveries", deliveries);
        return MessageJson.extended(json, caller, fullMessage).withAll(rendered.members());
    }

    /** The piece of the Markdown of a message with these attachments that is asked for. */
    MarkdownAnswer rendered(UUID organization, FullMessage fullMessage, MarkdownQuery query) {
        return rendered(
                organization,
                fullMessage,
                new MarkdownCache.Key(fullMessage.message().id(), query, false));
    }

    /** The same for a read of it or of its thread, which also says whether it has words that a person does not see. */
    MarkdownAnswer ofThread(UUID organization, FullMessage fullMessage, MarkdownQuery query) {
        return rendered(
                organization,
                fullMessage,
                new MarkdownCache.Key(fullMessage.message().id(), query, true));
    }

    private MarkdownAnswer rendered(UUID organization, FullMessage fullMessage, MarkdownCache.Key key) {
        return fullMessage.message().size() < SMALL
                ? rendered(fullMessage, key)
                : MarkdownCache.SHARED.of(
                        key, () -> RenderQueue.SHARED.rendered(organization, () -> rendered(fullMessage, key)));
    }

    private MarkdownAnswer rendered(FullMessage fullMessage, MarkdownCache.Key key) {
        ReadableContent shown = contents.readable(fullMessage.content());
        MarkdownAnswer rendered = MarkdownAnswer.of(source(shown, fullMessage), key.query());
        return key.tellsHidden() ? rendered.hiding(hidesWords(shown)) : rendered;
    }

    private static boolean hidesWords(ReadableContent shown) {
        return shown.html() != null && shown.extracted().hidesWords();
    }

    private static MarkdownSource source(ReadableContent shown, FullMessage fullMessage) {
        InlineFileNames files = new InlineFileNames();
        fullMessage.attachments().forEach(attachment -> files.add(attachment.contentId(), attachment.filename()));
        String subject = fullMessage.message().subject();
        boolean refers = shown.inReplyTo() != null || !shown.references().isEmpty();
        MailKind kind = ExtractedReply.isReport(shown.headers()) ? MailKind.REPORT : MailKind.of(refers, subject);
        return new MarkdownSource(subject, shown.text(), shown.flowed(), shown.html(), kind, files.byContentId());
    }
}
