package dev.inboxd.mailbox.message;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.challenge.Challenge;
import dev.inboxd.mail.challenge.ChallengeText;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.reply.ExtractedReply;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.content.ChunkedMessage;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.content.StoredContent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The content of stored messages: their bytes, from the row or from blobs, and the parsed form that is shown. */
public final class MessageContents {
    private final Blobs blobs;

    /** Reads large contents from that blob store. */
    public MessageContents(Blobs blobs) {
        this.blobs = blobs;
    }

    /** All bytes of a message; the caller closes the stream. Not inside a transaction. */
    public InputStream open(UUID organization, StoredContent content) {
        return open(organization, content, 0, Long.MAX_VALUE);
    }

    /**
     * At most {@code length} bytes of a message from the offset on; the caller closes the stream. Not inside a
     * transaction.
     */
    public InputStream open(UUID organization, StoredContent content, long offset, long length) {
        byte[] raw = content.raw();
        if (raw == null) {
            String blob = Objects.requireNonNull(content.blob());
            return content.chunks().isEmpty()
                    ? blobs.open(new BlobKey(organization, blob), offset, length)
                    : new ChunkedMessage(blobs, organization, blob, content.chunks()).open(offset, length);
        }
        int start = (int) Math.min(offset, raw.length);
        return new ByteArrayInputStream(raw, start, (int) Math.min(length, raw.length - start));
    }

    /**
     * The decoded bytes of an attachment from the offset on; the caller closes the stream. Not inside a transaction.
     */
    public InputStream open(UUID organization, StoredContent content, Attachment attachment, long offset) {
        InputStream raw = open(organization, content);
        try {
            InputStream bytes = PartReader.open(raw, attachment.part());
            bytes.skipNBytes(offset);
            return bytes;
        } catch (IOException | RuntimeException failure) {
            closeQuietly(raw, failure);
            throw failure instanceof RuntimeException unchecked
                    ? unchecked
                    : new UncheckedIOException((IOException) failure);
        }
    }

    private static void closeQuietly(InputStream raw, Exception failure) {
        try {
            raw.close();
        } catch (IOException also) {
            failure.addSuppressed(also);
        }
    }

    /** An attachment as the content of an attachment of a new message. */
    public dev.inboxd.mail.compose.AttachmentContent part(
            UUID organization, StoredContent content, Attachment attachment) {
        return new dev.inboxd.mail.compose.AttachmentContent() {
            @Override
            public long length() {
                return attachment.size();
            }

            @Override
            public InputStream open() {
                return MessageContents.this.open(organization, content, attachment, 0);
            }
        };
    }

    /**
     * The media types of a message's parts with their parameters, by the number of the part. Not inside a transaction.
     */
    public Map<Integer, String> mediaTypes(UUID organization, StoredContent content) {
        try (InputStream raw = open(organization, content)) {
            return PartReader.mediaTypes(raw);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The parsed form of a message. It has no bodies when the content was read for a list. */
    public ReadableContent readable(StoredContent content) {
        ReadableContent.StoredForm stored = content.readable();
        return stored != null
                ? ReadableContent.of(stored)
                : ReadableContent.of(
                        MessageParser.parse(new ByteArrayInputStream(Objects.requireNonNull(content.raw()))));
    }

    /** What a message says, as far as codes and links are looked for in it (markdown.md §9). */
    public ChallengeText challengeText(FullMessage fullMessage) {
        return readable(fullMessage.content())
                .challengeText(fullMessage.message().subject());
    }

    /** What a message holds of these, by the words for them (mail.md §6.14); empty when it holds none. */
    public Optional<JsonObject> challenges(FullMessage fullMessage, Set<Challenge> challenges) {
        ChallengeText mail = challengeText(fullMessage);
        JsonObject json = null;
        for (Challenge challenge : Challenge.values()) {
            Optional<String> held = challenges.contains(challenge) ? challenge.in(mail) : Optional.empty();
            if (held.isPresent()) {
                json = (json == null ? new JsonObject() : json).with(challenge.word(), held.get());
            }
        }
        return Optional.ofNullable(json);
    }

    /** A single message in full, as that caller may read it, without its deliveries (mail.md §4.7). */
    public JsonObject json(Caller caller, FullMessage fullMessage) {
        return MessageJson.extended(rendered(caller.organization(), fullMessage), caller, fullMessage);
    }

    /** A single message in full. */
    public JsonObject rendered(UUID organization, FullMessage fullMessage) {
        ReadableContent shown = readable(fullMessage.content());
        ExtractedReply extracted = shown.extracted();
        JsonObject json = MessageJson.single(organization, fullMessage.message(), shown, fullMessage.attachments());
        return MessageJson.withBody(json, shown, extracted).with("hidden_text", extracted.hidesWords() ? true : null);
    }
}
