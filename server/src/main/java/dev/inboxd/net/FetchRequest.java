package dev.inboxd.net;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A download.
 *
 * @param target the URL
 * @param deadline for the whole exchange, writing the content included
 * @param maxBytes maximum number of octets of content that are read
 * @param group connections that it may use; null for those of every download
 */
public record FetchRequest(
        Target target, Duration deadline, long maxBytes, PostRequest.@Nullable ConnectionGroup group) {
    /** A download whose host is looked up for each new connection. */
    public FetchRequest(Target target, Duration deadline, long maxBytes) {
        this(target, deadline, maxBytes, null);
    }
}
