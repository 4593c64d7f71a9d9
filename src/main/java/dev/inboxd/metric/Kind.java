package dev.inboxd.metric;

import dev.inboxd.event.EventType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is counted with running totals. The positions are stored: append only. */
enum Kind {
    MESSAGE_RECEIVED("message.received"),
    MESSAGE_RECEIVED_SPAM("message.received.spam"),
    MESSAGE_RECEIVED_BLOCKED("message.received.blocked"),
    MESSAGE_RECEIVED_UNAUTHENTICATED("message.received.unauthenticated"),
    MESSAGE_SENT("message.sent"),
    MESSAGE_DELIVERED("message.delivered"),
    MESSAGE_BOUNCED("message.bounced"),
    MESSAGE_COMPLAINED("message.complained"),
    MESSAGE_REJECTED("message.rejected"),
    DOMAIN_VERIFIED("domain.verified"),
    STORAGE_BYTES("storage_bytes"),
    MESSAGE_COUNT("message_count"),
    THREAD_COUNT("thread_count"),
    RECIPIENTS_SENT("recipients sent"),
    RECIPIENTS_BOUNCED("recipients bounced"),
    RECIPIENTS_COMPLAINED("recipients complained");

    /** The events that metrics know (contract: events.md §4.1). */
    static final List<Kind> EVENTS = List.of(values()).subList(0, 10);
    /** What is there, and goes with its inbox. */
    static final List<Kind> USAGE = List.of(STORAGE_BYTES, MESSAGE_COUNT, THREAD_COUNT);

    private static final Map<String, Kind> BY_WIRE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Kind::wire, Function.identity()));

    private final String wire;

    Kind(String wire) {
        this.wire = wire;
    }

    String wire() {
        return wire;
    }

    /** The event type that this counts. */
    EventType event() {
        return Objects.requireNonNull(EventType.ofWire(wire));
    }

    /** The kind that counts events of this type, or null. */
    static @Nullable Kind ofEvent(String type) {
        Kind kind = BY_WIRE.get(type);
        return kind != null && EVENTS.contains(kind) ? kind : null;
    }

    /** The kind that counts the recipients that an event of this type names, or null. */
    static @Nullable Kind recipientsOf(@Nullable Kind event) {
        return switch (event) {
            case MESSAGE_SENT -> RECIPIENTS_SENT;
            case MESSAGE_BOUNCED -> RECIPIENTS_BOUNCED;
            case MESSAGE_COMPLAINED -> RECIPIENTS_COMPLAINED;
            case null, default -> null;
        };
    }
}
