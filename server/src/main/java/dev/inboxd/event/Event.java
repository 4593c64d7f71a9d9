package dev.inboxd.event;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event before it has its number.
 *
 * @param type the type
 * @param subject the rows it is about
 * @param labels labels of its feed entries, one entry each; empty when the feed does not show this event
 * @param details the event's own top-level members as JSON text, or null when they are read from the message
 * @param usage change of the stored amounts, or null
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

    /** An event that does not change the stored amounts. */
    public Event(EventType type, Subject subject, List<String> labels, @Nullable String details) {
        this(type, subject, labels, details, null);
    }

    /**
     * Change of the stored amounts; negative when they shrink.
     *
     * @param messages number of messages
     * @param bytes their raw octets
     * @param threads number of threads
     */
    public record Usage(int messages, long bytes, int threads) {}

    /**
     * The rows an event is about.
     *
     * @param pod the pod, which webhooks can filter by, or null for the organization itself
     * @param inbox the inbox, or null
     * @param thread the thread, or null
     * @param message the message, or null
     * @param messageName its public id, stored for the feed after the message is deleted
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
