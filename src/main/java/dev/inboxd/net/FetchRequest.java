package dev.inboxd.net;

import java.time.Duration;

/**
 * Something to download.
 *
 * @param target where from
 * @param deadline for the whole exchange, in which the content is written out as well
 * @param maxBytes the most content taken
 */
public record FetchRequest(Target target, Duration deadline, long maxBytes) {}
