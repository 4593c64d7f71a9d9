package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.json.JsonObject;
import java.util.Map;
import java.util.UUID;

/**
 * A blob as a backup lists it.
 *
 * @param key its key, the same in the installation and in the backup
 * @param bytes its length
 * @param sha256 of its octets
 */
record BlobEntry(BlobKey key, long bytes, String sha256) {
    static BlobEntry of(Map<?, ?> line) {
        return new BlobEntry(
                new BlobKey(UUID.fromString(Members.text(line, "organization")), Members.text(line, "name")),
                Members.number(line, "bytes"),
                Members.text(line, "sha256"));
    }

    JsonObject json() {
        return JsonObject.of("organization", key.organization())
                .with("name", key.name())
                .with("bytes", bytes)
                .with("sha256", sha256);
    }
}
