package dev.inboxd.thread;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which messages or threads a list wants.
 *
 * @param labels all of them must be there
 * @param excluded bits of the restricted labels that the request did not ask to include
 * @param after not earlier than this, or null
 * @param before earlier than this, or null
 */
public record MailFilter(List<String> labels, int excluded, @Nullable Instant after, @Nullable Instant before) {
    public MailFilter {
        labels = List.copyOf(labels);
    }
}
