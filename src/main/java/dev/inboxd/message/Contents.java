package dev.inboxd.message;

import dev.inboxd.attachment.Attachment;
import dev.inboxd.blob.BlobKey;
import dev.inboxd.blob.Blobs;
import dev.inboxd.json.JsonObject;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.PartReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Objects;
import java.util.UUID;

/** The content of stored messages: their bytes, wherever they lie, and what is shown of them. */
public final class Contents {
    private final Blobs blobs;

    /** Contents whose large ones lie in that blob store. */
    public Contents(Blobs blobs) {
        this.blobs = blobs;
    }

    /** All bytes of a message; the caller closes the stream. Not inside a transaction. */
    public InputStream open(UUID organization, Content content) {
        byte[] raw = content.raw();
        return raw != null ? new ByteArrayInputStream(raw)
                : blobs.open(new BlobKey(organization, Objects.requireNonNull(content.blob())));
    }

    /** The decoded bytes of an attachment; the caller closes the stream. Not inside a transaction. */
    public InputStream open(UUID organization, Content content, Attachment attachment) {
        return PartReader.open(open(organization, content), attachment.part());
    }

    /** An attachment as something to be attached again. */
    public dev.inboxd.mail.compose.Content part(UUID organization, Content content, Attachment attachment) {
        return new dev.inboxd.mail.compose.Content() {
            @Override
            public long length() {
                return attachment.size();
            }

            @Override
            public InputStream open() {
                return Contents.this.open(organization, content, attachment);
            }
        };
    }

    /** What is shown of a message whose content was read whole. */
    public Shown shown(Content content) {
        byte[] stored = content.shown();
        return stored != null ? Shown.inflated(stored)
                : Shown.of(MessageParser.parse(new ByteArrayInputStream(Objects.requireNonNull(content.raw()))));
    }

    /** A single message in full (contract: mail.md §4.7). */
    JsonObject json(UUID organization, Messages.Found found) {
        Shown shown = shown(found.content());
        return MessageJson.withBody(MessageJson.single(organization, found.message(), shown, found.attachments()), shown);
    }
}
