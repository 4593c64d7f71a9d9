package dev.inboxd.event;

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
            Map.entry("records", List.of("type", "name", "value", "status", "priority", "reason")));

    private MemberOrder() {}

    /** The same value with the members of all its objects in order; unknown members follow as they came. */
    static @Nullable Object ordered(String name, @Nullable Object value) {
        return switch (value) {
            case Map<?, ?> object -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                for (String member : ORDERS.getOrDefault(name, List.of())) {
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
}
