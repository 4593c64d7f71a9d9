package dev.inboxd.notify.stream;

import dev.inboxd.event.EventType;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.database.View;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to hear of.
 *
 * @param types by whom it concerns: an inbox, a pod, or the organization, which stands for all that the caller may see
 */
record SubscriptionFilter(Map<UUID, Set<EventType>> types) {
    static final SubscriptionFilter NOTHING = new SubscriptionFilter(Map.of());

    SubscriptionFilter {
        types = Map.copyOf(types);
    }

    /** These types of everything that the caller may see. */
    static SubscriptionFilter of(UUID organization, Set<EventType> types) {
        return new SubscriptionFilter(Map.of(organization, Set.copyOf(types)));
    }

    /** This wish and another, whose types replace ours where both name the same. */
    SubscriptionFilter with(SubscriptionFilter other) {
        Map<UUID, Set<EventType>> both = new HashMap<>(types);
        both.putAll(other.types);
        return new SubscriptionFilter(both);
    }

    boolean matches(UUID organization, LoggedEvent.Entry entry) {
        LoggedEvent.Place place = entry.of().place();
        return names(organization, entry.type())
                || names(place.pod(), entry.type())
                || names(place.inbox(), entry.type());
    }

    private boolean names(@Nullable UUID whom, EventType type) {
        Set<EventType> some = whom == null ? null : types.get(whom);
        return some != null && some.contains(type);
    }

    /**
     * Whether a caller may hear of it now: it is in its scope, it may read mail and subscribe to the type, and its
     * message is not hidden from it.
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

    /** What a subscriber hears that names no types (events.md §4.1). */
    static Set<EventType> usual() {
        Set<EventType> usual = EnumSet.allOf(EventType.class);
        usual.removeIf(type -> !type.isSubscribable() || type.subscriber() != null);
        return usual;
    }

    /** Everything that a caller may hear of, labels too. */
    static Set<EventType> all(Caller caller) {
        Set<EventType> all = EnumSet.allOf(EventType.class);
        all.removeIf(type -> type.subscriber() != null && !caller.holds(type.subscriber()));
        return all;
    }
}
