package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is new in the messages of a thread, from the newest backwards, within one bound for all (markdown.md §7).
 * Messages are read a few at a time and rendered one after another. A page ends early when its Markdown is large, or
 * takes long.
 */
public final class TranscriptReader {
    private static final int READ_TOGETHER = 20;
    private static final long MOST_CHARACTERS = 2 << 20;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private final MessageMarkdown markdown;
    private final Source source;

    /** Reads the messages of that source. */
    public TranscriptReader(MessageContents contents, Source source) {
        this.markdown = new MessageMarkdown(contents);
        this.source = source;
    }

    /**
     * The messages of one thread.
     *
     * @param organization whose they are
     * @param newest a page of them, newest first, heavy ones without their bodies
     * @param loadBodies a message with its bodies
     */
    public record Source(
            UUID organization,
            Function<PageRequest, Slice<Messages.ThreadMessage>> newest,
            UnaryOperator<FullMessage> loadBodies) {}

    /** A page of the transcript. */
    public Transcript page(PageRequest page, MarkdownQuery query) {
        return new Walk(page, query).read();
    }

    /** One page, while it grows. */
    private final class Walk {
        private final PageRequest page;
        private final MarkdownQuery query;
        private final long end = System.nanoTime() + PATIENCE;
        private final List<RawJson> entries = new ArrayList<>();
        private @Nullable Cursor reached;
        private long room;
        private long characters;
        private long tokens;
        private boolean isTruncated;
        /** Where no words are asked for, each message is shown without, and none goes on. */
        private final boolean isOfSizes;

        Walk(PageRequest page, MarkdownQuery query) {
            this.page = page;
            this.query = query;
            this.reached = page.after();
            this.room = query.most();
            this.isOfSizes = query.most() == 0;
        }

        Transcript read() {
            while (true) {
                int most = Math.min(READ_TOGETHER, page.limit() - entries.size());
                Slice<Messages.ThreadMessage> slice =
                        source.newest.apply(new PageRequest(most, false, reached, page.next()));
                int left = slice.items().size();
                for (Messages.ThreadMessage light : slice.items()) {
                    left--;
                    boolean isFirst = entries.isEmpty();
                    FullMessage fullMessage =
                            light.isHeavy() ? source.loadBodies.apply(light.message()) : light.message();
                    MarkdownAnswer rendered = markdown.ofThread(
                            source.organization,
                            fullMessage,
                            isFirst ? query : new MarkdownQuery(query.form(), 0, room));
                    boolean isCut = rendered.piece().isTruncated();
                    if (isCut && !isFirst && !isOfSizes) {
                        return ended(null, reached);
                    }
                    isTruncated |= isCut;
                    add(fullMessage.message(), entry(fullMessage, rendered, !isOfSizes), rendered);
                    if (isCut && !isOfSizes) {
                        return ended(rendered.piece().nextOffset(), null);
                    }
                    if (isFull() && (left > 0 || slice.next() != null)) {
                        return ended(null, reached);
                    }
                }
                if (slice.next() == null || entries.size() >= page.limit()) {
                    return ended(null, slice.next());
                }
            }
        }

        private void add(Message message, RawJson entry, MarkdownAnswer rendered) {
            String text = rendered.piece().text();
            entries.add(entry);
            reached = Cursor.of(message.createdAt());
            room -= text.codePointCount(0, text.length());
            characters += entry.text().length();
            tokens += rendered.piece().tokens();
        }

        /** The rest of a message that was cut stands alone, as its beginning did. */
        private boolean isFull() {
            return query.offset() > 0 || characters > MOST_CHARACTERS || System.nanoTime() > end;
        }

        private Transcript ended(@Nullable Long nextOffset, @Nullable Cursor older) {
            boolean goesOn = isTruncated || nextOffset != null || older != null;
            return new Transcript(entries.reversed(), tokens, goesOn, nextOffset, older);
        }
    }

    private static RawJson entry(FullMessage fullMessage, MarkdownAnswer rendered, boolean isReadOn) {
        boolean isCut = rendered.piece().isTruncated();
        JsonObject json = JsonObject.of("message_id", fullMessage.message().name())
                .with("direction", fullMessage.message().outgoing() ? "sent" : "received")
                .with("from", fullMessage.message().people().from())
                .with("at", fullMessage.message().createdAt())
                .with("markdown", rendered.piece().text())
                .with("tokens", rendered.piece().tokens())
                .with("truncated", isCut ? true : null)
                .with("next_offset", isCut && isReadOn ? rendered.piece().nextOffset() : null)
                .with("attachments", fullMessage.attachments().isEmpty() ? null : files(fullMessage.attachments()))
                .with("markdown_degraded", rendered.isDegraded() ? true : null)
                .with("hidden_text", rendered.hidesWords() ? true : null);
        return new RawJson(Json.text(json));
    }

    private static List<JsonObject> files(List<Attachment> attachments) {
        return attachments.stream()
                .map(attachment -> JsonObject.of("attachment_id", attachment.id())
                        .with("filename", attachment.filename())
                        .with("content_type", attachment.mediaType())
                        .with("size", attachment.size()))
                .toList();
    }
}
