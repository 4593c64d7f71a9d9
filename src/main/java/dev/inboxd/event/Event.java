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
 */
public record Event(EventType type, Subject subject, List<String> labels, @Nullable String details) {
    public Event {
        labels = List.copyOf(labels);
    }

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
    public record Subject(@Nullable UUID pod, @Nullable UUID inbox, @Nullable UUID thread, @Nullable UUID message,
            @Nullable String messageName, int restricted) {}
}
