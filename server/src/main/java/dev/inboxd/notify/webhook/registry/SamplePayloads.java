package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventEnvelope;
import dev.inboxd.event.EventType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Invented payloads in the form of real ones (events.md §4), for test deliveries. Their event ids begin with
 * {@link #ID}, which tells them apart.
 *
 * @param inbox the id of the inbox that the events are about
 */
record SamplePayloads(UUID organization, String inbox, Instant now) {
    static final String ID = "evt_test_";

    private static final String POD = "00000000-0000-7000-8000-000000000002";
    private static final String THREAD = "00000000-0000-7000-8000-000000000001";
    private static final String MESSAGE = "<test@inboxd.invalid>";
    private static final String SENDER = "Test <test@inboxd.invalid>";
    private static final String RECIPIENT = "recipient@inboxd.invalid";

    byte[] of(EventType type, String eventId) {
        return EventEnvelope.bytes(type, eventId, Json.text(members(type)));
    }

    private JsonObject members(EventType type) {
        return switch (type) {
            case MESSAGE_RECEIVED, MESSAGE_RECEIVED_SPAM, MESSAGE_RECEIVED_BLOCKED, MESSAGE_RECEIVED_UNAUTHENTICATED ->
                received(type);
            case MESSAGE_SENT -> about("send", JsonObject.of("recipients", List.of(RECIPIENT)));
            case MESSAGE_DELIVERED -> about("delivery", JsonObject.of("recipients", List.of(RECIPIENT)));
            case MESSAGE_BOUNCED ->
                about(
                        "bounce",
                        JsonObject.of("type", "Permanent")
                                .with("sub_type", "NoEmail")
                                .with(
                                        "recipients",
                                        List.of(JsonObject.of("address", RECIPIENT)
                                                .with("status", "bounced"))));
            case MESSAGE_COMPLAINED ->
                about(
                        "complaint",
                        JsonObject.of("type", "abuse").with("sub_type", "spam").with("recipients", List.of(RECIPIENT)));
            case MESSAGE_REJECTED -> about("reject", JsonObject.of("reason", "This is a test"));
            case MESSAGE_OPENED -> about("open", new JsonObject());
            case MESSAGE_SECURITY_COMPLETED, MESSAGE_SECURITY_REVIEW, MESSAGE_SECURITY_OVERRIDE ->
                JsonObject.of("message", security(type));
            case DRAFT_APPROVAL_REQUESTED, DRAFT_APPROVAL_APPROVED, DRAFT_APPROVAL_REJECTED -> approval(type);
            case DOMAIN_VERIFIED ->
                JsonObject.of(
                        "domain",
                        JsonObject.of("domain_id", "inboxd.invalid")
                                .with("domain", "inboxd.invalid")
                                .with("status", "VERIFIED")
                                .with("feedback_enabled", true)
                                .with("subdomains_enabled", false)
                                .with("tracking_enabled", false)
                                .with("records", List.of())
                                .with("updated_at", now)
                                .with("created_at", now));
            case CALENDAR_EVENT_CREATED,
                    CALENDAR_EVENT_UPDATED,
                    CALENDAR_EVENT_DELETED,
                    CALENDAR_EVENT_RESPONDED,
                    CALENDAR_EVENT_STARTING,
                    CALENDAR_EVENT_ENDING -> calendar(type);
            case LABEL_ADDED, LABEL_REMOVED -> throw new IllegalArgumentException(type.wireName());
        };
    }

    private JsonObject approval(EventType type) {
        return JsonObject.of(
                "draft",
                JsonObject.of("organization_id", organization)
                        .with("pod_id", POD)
                        .with("inbox_id", inbox)
                        .with("draft_id", THREAD)
                        .with("message_id", MESSAGE)
                        .with("thread_id", THREAD)
                        .with("note", type == EventType.DRAFT_APPROVAL_REJECTED ? "Test" : null));
    }

    private JsonObject security(EventType type) {
        JsonObject about = JsonObject.of("organization_id", organization)
                .with("inbox_id", inbox)
                .with("thread_id", THREAD)
                .with("message_id", MESSAGE);
        if (type == EventType.MESSAGE_SECURITY_OVERRIDE) {
            return about.with(
                    "manual_override",
                    JsonObject.of("override_id", ID)
                            .with("actor", JsonObject.of("type", "api_key").with("api_key_id", POD))
                            .with("reason", "Test")
                            .with("created_at", now));
        }
        boolean clear = type == EventType.MESSAGE_SECURITY_COMPLETED;
        return about.with(
                "security",
                JsonObject.of("status", "complete")
                        .with("verdict", clear ? "clear" : "review")
                        .with("completed_at", now)
                        .with("model", "inboxd-rules-2")
                        .with("reasons", clear ? null : List.of("instruction_override")));
    }

    private JsonObject about(String member, JsonObject more) {
        JsonObject object = JsonObject.of("inbox_id", inbox)
                .with("thread_id", THREAD)
                .with("message_id", MESSAGE)
                .with("timestamp", now)
                .withAll(more)
                .with("organization_id", organization)
                .with("pod_id", POD);
        return JsonObject.of(member, object);
    }

    private JsonObject received(EventType type) {
        String variant = type == EventType.MESSAGE_RECEIVED
                ? "received"
                : type.wireName()
                        .substring(EventType.MESSAGE_RECEIVED.wireName().length() + 1);
        List<String> labels =
                variant.equals("received") ? List.of("received", "unread") : List.of("received", "unread", variant);
        JsonObject message = JsonObject.of("organization_id", organization)
                .with("inbox_id", inbox)
                .with("thread_id", THREAD)
                .with("message_id", MESSAGE)
                .with("labels", labels)
                .with("timestamp", now)
                .with("from", SENDER)
                .with("from_", List.of(SENDER))
                .with("to", List.of(inbox))
                .with("subject", "Test")
                .with("preview", "This is a test.")
                .with("text", "This is a test.\n")
                .with("extracted_text", "This is a test.")
                .with("size", 512)
                .with("updated_at", now)
                .with("created_at", now)
                .with("pod_id", POD);
        return JsonObject.of("message", message).with("thread", thread(labels));
    }

    private JsonObject thread(List<String> labels) {
        return JsonObject.of("inbox_id", inbox)
                .with("thread_id", THREAD)
                .with("labels", labels)
                .with("timestamp", now)
                .with("received_timestamp", now)
                .with("senders", List.of(SENDER))
                .with("recipients", List.of(inbox))
                .with("subject", "Test")
                .with("preview", "This is a test.")
                .with("last_message_id", MESSAGE)
                .with("message_count", 1)
                .with("size", 512)
                .with("updated_at", now)
                .with("created_at", now)
                .with("organization_id", organization)
                .with("pod_id", POD);
    }

    private JsonObject calendar(EventType type) {
        JsonObject event = JsonObject.of("event_id", THREAD)
                .with("kind", "single")
                .with("title", "Test")
                .with("status", "confirmed")
                .with("all_day", false)
                .with("start", "2026-10-15T14:00:00")
                .with("end", "2026-10-15T14:30:00")
                .with("timezone", "UTC")
                .with("duration_mode", "exact")
                .with("duration_value", 1_800_000)
                .with("start_at", "2026-10-15T14:00:00.000Z")
                .with("end_at", "2026-10-15T14:30:00.000Z")
                .with("attendee_count", 0)
                .with("uid", THREAD + "@inboxd.invalid")
                .with("sequence", 0)
                .with("source", "api")
                .with("organizer_email", inbox);
        boolean isBoundary = type == EventType.CALENDAR_EVENT_STARTING || type == EventType.CALENDAR_EVENT_ENDING;
        event.with("resource_revision", isBoundary ? null : 0)
                .with("created_at", now)
                .with("updated_at", now)
                .with("organization_id", organization)
                .with("pod_id", POD);
        boolean isUpdate = type == EventType.CALENDAR_EVENT_UPDATED;
        String scheduled = type == EventType.CALENDAR_EVENT_STARTING
                ? "2026-10-15T14:00:00.000Z"
                : isBoundary ? "2026-10-15T14:30:00.000Z" : null;
        return JsonObject.of("inbox_id", inbox)
                .with("calendar_event", event)
                .with("previous", isUpdate ? JsonObject.of("title", "Old") : null)
                .with("scheduled_at", scheduled)
                .with("organization_id", organization)
                .with("pod_id", POD);
    }
}
