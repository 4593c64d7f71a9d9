package dev.inboxd.mailbox.attachment;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.link.Links;
import dev.inboxd.mail.message.AttachmentPart;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attachment of a stored message.
 *
 * @param id its public id, unique in the organization
 * @param part index of the part in the raw message
 * @param size decoded octets
 * @param hasText whether its text was extracted
 */
public record Attachment(
        UUID id,
        Owner owner,
        int part,
        @Nullable String filename,
        String mediaType,
        boolean inline,
        @Nullable String contentId,
        long size,
        boolean hasText) {

    /** Whether its text can be searched, once it was extracted. */
    public boolean isReadable() {
        return TextFormat.of(mediaType, filename, size) != null;
    }

    /** The message of an attachment. */
    public record Owner(UUID inbox, UUID message, UUID thread) {}

    /** The attachments of a parsed message. */
    public static List<Attachment> of(Owner owner, List<AttachmentPart> parts) {
        return parts.stream()
                .map(part -> new Attachment(
                        Uuid7.next(),
                        owner,
                        part.index(),
                        part.filename(),
                        part.mediaType(),
                        part.inline(),
                        part.contentId(),
                        part.size(),
                        false))
                .toList();
    }

    /** The octets of a message or a thread without these files of it, at most. */
    public static long octetsWithout(long size, List<Attachment> files) {
        return Math.max(0, size - files.stream().mapToLong(Attachment::size).sum());
    }

    /** The answer to a request for an attachment: its properties and signed links to its bytes (mail.md §4.4). */
    public JsonObject link(Links links, UUID organization) {
        Links.Link link = links.to(Links.Kind.ATTACHMENT, organization, id);
        return json().with("download_url", link.url())
                .with("expires_at", link.expiresAt())
                .with(
                        "text_url",
                        hasText ? links.to(Links.Kind.TEXT, organization, id).url() : null);
    }

    /** The JSON form (mail.md §4.3). */
    public JsonObject json() {
        return JsonObject.of("attachment_id", id)
                .with("filename", filename)
                .with("content_type", mediaType)
                .with("size", size)
                .with("content_disposition", inline ? "inline" : "attachment")
                .with("content_id", contentId)
                .with("inline", inline);
    }
}
