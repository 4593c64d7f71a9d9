package dev.inboxd.sending.draft;

import dev.inboxd.base.json.JsonObject;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attachment of a draft, without its bytes.
 *
 * @param id its public id, unique in the organization
 * @param draft the id of its draft
 * @param mediaType its media type; empty for one that is not fetched and was given without
 * @param blob the blob with its bytes; null when its row holds them, or nobody has them yet
 * @param url where it is fetched when its message leaves (ruling 163); null for one whose bytes are there
 */
record DraftFile(
        UUID id,
        UUID draft,
        @Nullable String filename,
        String mediaType,
        boolean inline,
        @Nullable String contentId,
        long size,
        @Nullable String blob,
        @Nullable String url) {
    /** The type of what nobody has seen (RFC 2046 §4.5.1). */
    private static final String UNKNOWN = "application/octet-stream";

    /** Whether its bytes are there. */
    boolean isThere() {
        return url == null;
    }

    /** The JSON form (mail.md §4.3). */
    JsonObject json() {
        return JsonObject.of("attachment_id", id)
                .with("filename", filename)
                .with("content_type", mediaType.isEmpty() ? UNKNOWN : mediaType)
                .with("size", size)
                .with("content_disposition", inline ? "inline" : "attachment")
                .with("content_id", contentId)
                .with("inline", inline)
                .with("url", url);
    }
}
