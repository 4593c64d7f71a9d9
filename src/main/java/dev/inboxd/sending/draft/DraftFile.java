package dev.inboxd.sending.draft;

import dev.inboxd.platform.json.JsonObject;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attachment of a draft, without its bytes.
 *
 * @param id its public id, unique in the organization
 * @param draft the id of its draft
 * @param blob the blob with its bytes; null when its row holds them
 */
record DraftFile(
        UUID id,
        UUID draft,
        @Nullable String filename,
        String mediaType,
        boolean inline,
        @Nullable String contentId,
        long size,
        @Nullable String blob) {
    /** The JSON form (mail.md §4.3). */
    JsonObject json() {
        return JsonObject.of("attachment_id", id)
                .with("filename", filename)
                .with("content_type", mediaType)
                .with("size", size)
                .with("content_disposition", inline ? "inline" : "attachment")
                .with("content_id", contentId)
                .with("inline", inline);
    }
}
