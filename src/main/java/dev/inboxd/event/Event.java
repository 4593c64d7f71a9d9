package dev.inboxd.event;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happened, before it has its number.
 *
 * @param type what kind of change
 * @param subject whom it concerns
 * @param labels the labels that a feed entry each tells of; empty when the feed does not show this event
 * @param details the event's own top-level members as JSON text, or null when they are read from the message
 * @param usage what it adds to what is stored or takes from it, or null
 */
public record Event(
        EventType type,
        Subject subject,
        List<String> labels,
        @Nullable String details,
        @Nullable Usage usage) {
    public Event {
        labels = List.copyOf(labels);
    }

    /** An event that leaves what is stored as it was. */
    public Event(EventType type, Subject subject, List<String> labels, @Nullable String details) {
        this(type, subject, labels, details, null);
    }

    /**
     * What is stored more since, or less.
     *
     * @param messages how many messages
     * @param bytes of their raw octets
     * @param threads how many threads
     */
    public record Usage(int messages, long bytes, int threads) {}

    /**
     * The rows an event is about.
     *
     * @param pod the pod, which webhooks can listen to, or null for what belongs to the organization itself
     * @param inbox the inbox, or null
     * @param thread the thread, or null
     * @param message the message, or null
     * @param messageName its public id, kept for the feed when the message is gone
     * @param restricted the bits of its restricted labels
     */
    public record Subject(
            @Nullable UUID pod,
            @Nullable UUID inbox,
            @Nullable UUID thread,
            @Nullable UUID message,
            @Nullable String messageName,
            int restricted) {}
}
