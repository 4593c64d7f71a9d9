package dev.inboxd.message;

import dev.inboxd.blob.BlobKey;
import dev.inboxd.blob.Blobs;
import dev.inboxd.json.JsonObject;
import dev.inboxd.mail.message.MessageParser;
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

    /** What is shown of a message whose content was read whole. */
    public Shown shown(Content content) {
        byte[] stored = content.shown();
        return stored != null ? Shown.inflated(stored)
                : Shown.of(MessageParser.parse(new ByteArrayInputStream(Objects.requireNonNull(content.raw()))));
    }

    /** A single message in full (contract: mail.md §4.7). */
    JsonObject json(UUID organization, Messages.Found found) {
        Shown shown = shown(found.content());
        JsonObject json = MessageJson.single(organization, found.message(), shown, found.attachments());
        return MessageJson.withBody(json, shown, shown.extracted());
    }
}
