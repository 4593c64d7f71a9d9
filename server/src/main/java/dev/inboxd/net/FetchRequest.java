package dev.inboxd.net;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A download.
 *
 * @param target the URL
 * @param deadline for the whole exchange, writing the content included
 * @param maxBytes maximum number of octets of content that are read
 * @param group connections that it may use; null for those of every download
 * @param fields header fields to send
 */
public record FetchRequest(
        Target target,
        Duration deadline,
        long maxBytes,
        PostRequest.@Nullable ConnectionGroup group,
        List<RequestHeader> fields) {
    public FetchRequest {
        fields = List.copyOf(fields);
    }

    /** A download without header fields of its own. */
    public FetchRequest(Target target, Duration deadline, long maxBytes, PostRequest.@Nullable ConnectionGroup group) {
        this(target, deadline, maxBytes, group, List.of());
    }

    /** A download whose host is looked up for each new connection. */
    public FetchRequest(Target target, Duration deadline, long maxBytes) {
        this(target, deadline, maxBytes, null);
    }

    /** The same within another time. */
    FetchRequest within(Duration left) {
        return new FetchRequest(target, left, maxBytes, group, fields);
    }
}
