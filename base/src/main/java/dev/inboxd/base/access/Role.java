package dev.inboxd.base.access;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a person may do in an organization (identity.md §17); each role may all that the one before it may. */
public enum Role {
    /** Sees everything, and changes nothing. */
    READ,
    /** Decides drafts and held mail too, and stops what leaves. */
    APPROVE,
    /** May do everything. */
    OWN;

    private static final Set<Permission> DECISIONS = Set.of(Permission.DRAFT_APPROVE, Permission.MESSAGE_RELEASE);

    /** The role of a name; null when there is none. */
    public static @Nullable Role ofWire(String name) {
        return switch (name) {
            case "read" -> READ;
            case "approve" -> APPROVE;
            case "own" -> OWN;
            default -> null;
        };
    }

    /** The name in rows and in forms. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is enough for what takes another. */
    public boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** The flags that a person of this role has. */
    public Set<Permission> flags() {
        Set<Permission> flags = EnumSet.allOf(Permission.class);
        flags.removeIf(flag ->
                this != OWN && !flag.name().endsWith("_READ") && (this != APPROVE || !DECISIONS.contains(flag)));
        return flags;
    }

    /** Whether the access rule is that of a decision about what waits. */
    public static boolean isDecision(Access access) {
        return access instanceof Permission permission && DECISIONS.contains(permission);
    }
}
