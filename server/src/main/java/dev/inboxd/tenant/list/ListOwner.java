package dev.inboxd.tenant.list;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Level;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a list.
 *
 * @param id the internal id of the inbox, the pod or the organization
 * @param pod the pod, also for an inbox; null for the organization
 * @param inbox the inbox, or null
 * @param inboxName its public id, or null
 */
record ListOwner(
        UUID id,
        @Nullable UUID pod,
        @Nullable UUID inbox,
        @Nullable String inboxName) {
    /** The internal id of the owner of the lists at a level, for a view that the path has narrowed. */
    static UUID key(Level level, View view) {
        return switch (level) {
            case INBOX -> Objects.requireNonNull(view.inbox());
            case POD -> Objects.requireNonNull(view.pod());
            case ROOT, ORGANIZATION, ORGANIZATION_ITSELF, ORGANIZATION_OR_POD -> view.organization();
        };
    }

    /** The path of the owner over HTTP. */
    String path() {
        if (inboxName != null) {
            return "/v0/inboxes/" + encoded(inboxName);
        }
        return pod == null ? "/v0" : "/v0/pods/" + pod;
    }

    /** Encodes a segment of a path. */
    static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
