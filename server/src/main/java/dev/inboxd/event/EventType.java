package dev.inboxd.event;

import dev.inboxd.base.access.Permission;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every type of event (events.md §4.1), and the two of the inbox feed, to which no webhook subscribes. */
public enum EventType {
    MESSAGE_RECEIVED("message.received", null),
    MESSAGE_RECEIVED_SPAM("message.received.spam", Permission.LABEL_SPAM_READ),
    MESSAGE_RECEIVED_BLOCKED("message.received.blocked", Permission.LABEL_BLOCKED_READ),
    MESSAGE_RECEIVED_UNAUTHENTICATED("message.received.unauthenticated", Permission.LABEL_UNAUTHENTICATED_READ),
    MESSAGE_SENT("message.sent", null),
    MESSAGE_DELIVERED("message.delivered", null),
    MESSAGE_BOUNCED("message.bounced", null),
    MESSAGE_COMPLAINED("message.complained", null),
    MESSAGE_REJECTED("message.rejected", null),
    MESSAGE_OPENED("message.opened", null),
    MESSAGE_SECURITY_COMPLETED("message.security.completed", Permission.MESSAGE_READ),
    MESSAGE_SECURITY_REVIEW("message.security.review", Permission.MESSAGE_READ),
    MESSAGE_SECURITY_OVERRIDE("message.security.override", Permission.MESSAGE_READ),
    DRAFT_APPROVAL_REQUESTED("draft.approval.requested", Permission.DRAFT_READ),
    DRAFT_APPROVAL_APPROVED("draft.approval.approved", Permission.DRAFT_READ),
    DRAFT_APPROVAL_REJECTED("draft.approval.rejected", Permission.DRAFT_READ),
    DOMAIN_VERIFIED("domain.verified", null),
    CALENDAR_EVENT_CREATED("calendar.event.created", Permission.CALENDAR_EVENT_READ),
    CALENDAR_EVENT_UPDATED("calendar.event.updated", Permission.CALENDAR_EVENT_READ),
    CALENDAR_EVENT_DELETED("calendar.event.deleted", Permission.CALENDAR_EVENT_READ),
    CALENDAR_EVENT_RESPONDED("calendar.event.responded", Permission.CALENDAR_EVENT_READ),
    CALENDAR_EVENT_STARTING("calendar.event.starting", Permission.CALENDAR_EVENT_READ),
    CALENDAR_EVENT_ENDING("calendar.event.ending", Permission.CALENDAR_EVENT_READ),
    LABEL_ADDED("label.added", null),
    LABEL_REMOVED("label.removed", null);

    private static final Map<String, EventType> BY_WIRE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(EventType::wireName, Function.identity()));

    private final String wireName;
    private final @Nullable Permission subscriber;

    EventType(String wire, @Nullable Permission subscriber) {
        this.wireName = wire;
        this.subscriber = subscriber;
    }

    /** The name in JSON. */
    public String wireName() {
        return wireName;
    }

    /** The flag that subscribing requires, or null. */
    public @Nullable Permission subscriber() {
        return subscriber;
    }

    /** Whether a new webhook may subscribe to it; the security types need an update of the webhook. */
    public boolean isCreatable() {
        return isSubscribable() && !wireName.startsWith("message.security.");
    }

    /** Whether a new polling webhook may subscribe to it. */
    public boolean isPollable() {
        return isCreatable() && !wireName.startsWith("draft.");
    }

    /** Whether a webhook may subscribe to it at all. */
    public boolean isSubscribable() {
        return this != LABEL_ADDED && this != LABEL_REMOVED;
    }

    /** Whether it is about a received message. */
    public boolean isReceived() {
        return wireName.startsWith("message.received");
    }

    /** The type of that name, or null. */
    public static @Nullable EventType ofWire(String wire) {
        return BY_WIRE.get(wire);
    }
}
