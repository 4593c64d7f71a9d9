package dev.inboxd.observe.metric;

import dev.inboxd.event.EventType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The counters with running totals. The positions are stored, so none is ever reused. */
enum CounterType {
    MESSAGE_RECEIVED(0, "message.received"),
    MESSAGE_RECEIVED_SPAM(1, "message.received.spam"),
    MESSAGE_RECEIVED_BLOCKED(2, "message.received.blocked"),
    MESSAGE_RECEIVED_UNAUTHENTICATED(3, "message.received.unauthenticated"),
    MESSAGE_SENT(4, "message.sent"),
    MESSAGE_DELIVERED(5, "message.delivered"),
    MESSAGE_BOUNCED(6, "message.bounced"),
    MESSAGE_COMPLAINED(7, "message.complained"),
    MESSAGE_REJECTED(8, "message.rejected"),
    DOMAIN_VERIFIED(9, "domain.verified"),
    STORAGE_BYTES(10, "storage_bytes"),
    MESSAGE_COUNT(11, "message_count"),
    THREAD_COUNT(12, "thread_count"),
    RECIPIENTS_SENT(13, "recipients sent"),
    RECIPIENTS_BOUNCED(14, "recipients bounced"),
    RECIPIENTS_COMPLAINED(15, "recipients complained");

    /** The counters of events in metrics (events.md §4.1). */
    static final List<CounterType> EVENTS = List.of(values()).subList(0, 10);
    /** The counters of present resources; they are reduced when an inbox is deleted. */
    static final List<CounterType> USAGE = List.of(STORAGE_BYTES, MESSAGE_COUNT, THREAD_COUNT);

    private static final Map<String, CounterType> BY_WIRE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(CounterType::wireName, Function.identity()));

    private final int position;
    private final String wireName;

    CounterType(int position, String wire) {
        this.position = position;
        this.wireName = wire;
    }

    /** The position of the counter in a row of totals. */
    int position() {
        return position;
    }

    String wireName() {
        return wireName;
    }

    /** The event type that is counted. */
    EventType event() {
        return Objects.requireNonNull(EventType.ofWire(wireName));
    }

    /** The counter of events of this type, or null. */
    static @Nullable CounterType ofEvent(String type) {
        CounterType counter = BY_WIRE.get(type);
        return counter != null && EVENTS.contains(counter) ? counter : null;
    }

    /** The counter of the recipients that an event of this type names, or null. */
    static @Nullable CounterType recipientsOf(@Nullable CounterType event) {
        return switch (event) {
            case MESSAGE_SENT -> RECIPIENTS_SENT;
            case MESSAGE_BOUNCED -> RECIPIENTS_BOUNCED;
            case MESSAGE_COMPLAINED -> RECIPIENTS_COMPLAINED;
            case null, default -> null;
        };
    }
}
