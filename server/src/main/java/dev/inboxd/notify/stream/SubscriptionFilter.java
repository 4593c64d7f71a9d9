package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.event.EventType;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which events a subscriber asked for.
 *
 * @param types event types by the id of an inbox, a pod, or the organization; the organization's id stands for
 *     everything that the caller may see
 */
record SubscriptionFilter(Map<UUID, Set<EventType>> types) {
    static final SubscriptionFilter NOTHING = new SubscriptionFilter(Map.of());

    SubscriptionFilter {
        types = Map.copyOf(types);
    }

    /** A filter for these types in everything that the caller may see. */
    static SubscriptionFilter of(UUID organization, Set<EventType> types) {
        return new SubscriptionFilter(Map.of(organization, Set.copyOf(types)));
    }

    /** This filter extended by another, whose types replace those of this one for the same id. */
    SubscriptionFilter with(SubscriptionFilter addition) {
        Map<UUID, Set<EventType>> both = new HashMap<>(types);
        both.putAll(addition.types);
        return new SubscriptionFilter(both);
    }

    boolean matches(UUID organization, LoggedEvent.Entry entry) {
        LoggedEvent.Place place = entry.of().place();
        return names(organization, entry.type())
                || names(place.pod(), entry.type())
                || names(place.inbox(), entry.type());
    }

    private boolean names(@Nullable UUID whom, EventType type) {
        Set<EventType> targetTypes = whom == null ? null : types.get(whom);
        return targetTypes != null && targetTypes.contains(type);
    }

    /**
     * Whether a caller may see an entry now: it is in the caller's scope, the caller may read mail and subscribe to the
     * type, and the message is not hidden from the caller.
     */
    static boolean isShown(Caller caller, LoggedEvent.Entry entry) {
        View view = caller.view();
        LoggedEvent of = entry.of();
        Permission flag = entry.type().subscriber();
        Instant since = view.since();
        return caller.holds(Permission.MESSAGE_READ)
                && (flag == null || caller.holds(flag))
                && (view.pod() == null || view.pod().equals(of.place().pod()))
                && (view.inbox() == null || view.inbox().equals(of.place().inbox()))
                && (of.restricted() & view.hidden()) == 0
                && (since == null || !of.mailAt().isBefore(since));
    }

    /** The event types of a subscription that names none (events.md §4.1). */
    static Set<EventType> usual() {
        Set<EventType> usual = EnumSet.allOf(EventType.class);
        usual.removeIf(type -> !type.isSubscribable() || type.subscriber() != null);
        return usual;
    }

    /** All event types that a caller may see, label changes included. */
    static Set<EventType> all(Caller caller) {
        Set<EventType> all = EnumSet.allOf(EventType.class);
        all.removeIf(type -> type.subscriber() != null && !caller.holds(type.subscriber()));
        return all;
    }
}
