package dev.inboxd.observe.audit;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was changed.
 *
 * @param target the public id of it; null for the organization
 * @param details what else is said: ids and words of the interface, never what anybody wrote
 */
public record AuditChange(AuditAction action, @Nullable String target, Map<String, Object> details) {
    public AuditChange {
        details = Map.copyOf(details);
    }

    /** A change of which nothing else is said. */
    public static AuditChange of(AuditAction action, @Nullable String target) {
        return new AuditChange(action, target, Map.of());
    }
}
