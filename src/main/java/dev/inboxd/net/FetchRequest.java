package dev.inboxd.net;

import java.time.Duration;

/**
 * A download.
 *
 * @param target the URL
 * @param deadline for the whole exchange, writing the content included
 * @param maxBytes maximum number of octets of content that are read
 */
public record FetchRequest(Target target, Duration deadline, long maxBytes) {}
