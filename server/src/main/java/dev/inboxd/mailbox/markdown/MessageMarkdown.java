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
            Caller caller, FullMessage found, MarkdownQuery query, @Nullable List<JsonObject> deliveries) {
        ReadableContent shown = contents.readable(found.content());
        MarkdownAnswer rendered = ofThread(caller.organization(), found, query);
        JsonObject json = MessageJson.single(caller.organization(), found.message(), shown, found.attachments())
                .without("headers")
                .with("hidden_text", rendered.hidesWords() ? true : null)
                .with("deliveries", deliveries);
        return MessageJson.extended(json, caller, found).withAll(rendered.members());
    }

    /** The piece of the Markdown of a message with these attachments that is asked for. */
    MarkdownAnswer rendered(UUID organization, FullMessage found, MarkdownQuery query) {
        return rendered(
                organization, found, new MarkdownCache.Key(found.message().id(), query, false));
    }

    /** The same for a read of it or of its thread, which also says whether it has words that a person does not see. */
    MarkdownAnswer ofThread(UUID organization, FullMessage found, MarkdownQuery query) {
        return rendered(
                organization, found, new MarkdownCache.Key(found.message().id(), query, true));
    }

    private MarkdownAnswer rendered(UUID organization, FullMessage found, MarkdownCache.Key key) {
        return found.message().size() < SMALL
                ? rendered(found, key)
                : MarkdownCache.SHARED.of(
                        key, () -> RenderQueue.SHARED.rendered(organization, () -> rendered(found, key)));
    }

    private MarkdownAnswer rendered(FullMessage found, MarkdownCache.Key key) {
        ReadableContent shown = contents.readable(found.content());
        MarkdownAnswer rendered = MarkdownAnswer.of(source(shown, found), key.query());
        return key.tellsHidden() ? rendered.hiding(hidesWords(shown)) : rendered;
    }

    private static boolean hidesWords(ReadableContent shown) {
        return shown.html() != null && shown.extracted().hidesWords();
    }

    private static MarkdownSource source(ReadableContent shown, FullMessage found) {
        InlineFileNames files = new InlineFileNames();
        found.attachments().forEach(each -> files.add(each.contentId(), each.filename()));
        String subject = found.message().subject();
        boolean refers = shown.inReplyTo() != null || !shown.references().isEmpty();
        MailKind kind = ExtractedReply.isReport(shown.headers()) ? MailKind.REPORT : MailKind.of(refers, subject);
        return new MarkdownSource(subject, shown.text(), shown.flowed(), shown.html(), kind, files.byContentId());
    }
}
