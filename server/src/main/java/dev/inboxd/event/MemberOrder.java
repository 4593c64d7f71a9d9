package dev.inboxd.event;

import dev.inboxd.base.json.ExactJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order of the members in the payload of an event (events.md §4). The database keeps an event's members without an
 * order, and receivers compare the signed bytes with what their JSON library writes again.
 */
final class MemberOrder {
    private static final List<String> DELIVERY_STATUS = List.of(
            "inbox_id",
            "thread_id",
            "message_id",
            "timestamp",
            "type",
            "sub_type",
            "recipients",
            "reason",
            "organization_id",
            "pod_id");

    private static final List<String> CALENDAR_EVENT = List.of(
            "event_id",
            "kind",
            "series_id",
            "original_start",
            "original_start_at",
            "is_exception",
            "title",
            "description",
            "location",
            "metadata",
            "status",
            "all_day",
            "start",
            "end",
            "timezone",
            "duration_mode",
            "duration_value",
            "start_at",
            "end_at",
            "recurrence",
            "attendees",
            "attendee_count",
            "response_status",
            "uid",
            "sequence",
            "source",
            "organizer_email",
            "answers_to",
            "origin_message_id",
            "resource_revision",
            "created_at",
            "updated_at",
            "organization_id",
            "pod_id");

    private static final List<String> ABOUT_CALENDAR_EVENT =
            List.of("inbox_id", "calendar_event", "previous", "scheduled_at", "organization_id", "pod_id");

    /** By the name of the object, or of the list of objects, whose members are ordered. */
    private static final Map<String, List<String>> ORDERS = Map.ofEntries(
            Map.entry("send", DELIVERY_STATUS),
            Map.entry("delivery", DELIVERY_STATUS),
            Map.entry("bounce", DELIVERY_STATUS),
            Map.entry("complaint", DELIVERY_STATUS),
            Map.entry("reject", DELIVERY_STATUS),
            Map.entry("open", DELIVERY_STATUS),
            Map.entry("recipients", List.of("address", "status")),
            Map.entry(
                    "domain",
                    List.of(
                            "domain_id",
                            "domain",
                            "pod_id",
                            "status",
                            "reason",
                            "feedback_enabled",
                            "subdomains_enabled",
                            "tracking_enabled",
                            "records",
                            "client_id",
                            "updated_at",
                            "created_at")),
            Map.entry("records", List.of("type", "name", "value", "status", "priority", "reason")),
            Map.entry("calendar_event", CALENDAR_EVENT),
            Map.entry(
                    "draft",
                    List.of("organization_id", "pod_id", "inbox_id", "draft_id", "message_id", "thread_id", "note")),
            Map.entry("previous", CALENDAR_EVENT),
            Map.entry("recurrence", List.of("rule", "exdates", "rdates", "truncate_before")),
            Map.entry("rdates", List.of("start", "end", "duration")),
            Map.entry(
                    "message",
                    List.of("organization_id", "inbox_id", "thread_id", "message_id", "security", "manual_override")),
            Map.entry("security", List.of("status", "verdict", "completed_at", "model", "reasons", "manual_override")),
            Map.entry("manual_override", List.of("override_id", "actor", "reason", "created_at")),
            Map.entry("actor", List.of("type", "api_key_id", "user_id")),
            Map.entry("attendees", List.of("email", "name", "status", "role", "comment", "responded_at")));

    /** What a client gave as it is: its order and its nulls mean something to nobody but the client. */
    private static final String OF_THE_CLIENT = "metadata";

    private MemberOrder() {}

    /** The same value with the members of all its objects in order; unknown members follow as they came. */
    static @Nullable Object ordered(String name, @Nullable Object value) {
        return switch (value) {
            case Object own when name.equals(OF_THE_CLIENT) -> new ExactJson(own);
            case Map<?, ?> object -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                for (String member : order(name, object)) {
                    if (object.containsKey(member)) {
                        members.put(member, ordered(member, object.get(member)));
                    }
                }
                object.forEach(
                        (member, inner) -> members.computeIfAbsent((String) member, absent -> ordered(absent, inner)));
                yield members;
            }
            case List<?> list -> list.stream().map(item -> ordered(name, item)).toList();
            case null, default -> value;
        };
    }

    private static List<String> order(String name, Map<?, ?> object) {
        return object.containsKey("calendar_event") ? ABOUT_CALENDAR_EVENT : ORDERS.getOrDefault(name, List.of());
    }
}
