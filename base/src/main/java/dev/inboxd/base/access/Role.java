package dev.inboxd.base.access;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Objects;
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

    /** Calls by another method than GET that change nothing of the organization. */
    private static final Set<String> OPEN = Set.of(
            "POST /mcp", // each call of a tool is looked at as what it is
            "POST /v0/inboxes/{inbox_id}/messages/batch-get",
            "POST /console/session/renew",
            "DELETE /console/session",
            "DELETE /console/sessions",
            "DELETE /console/sessions/{session_id}");

    /** What lets all mail leave again: whoever decides stops it, and an owner lets it go on. */
    private static final Set<String> RESUMING =
            Set.of("POST /v0/organizations/resume", "POST /v0/pods/{pod_id}/resume");

    /** The role that a row has; a word of a later revision is the lowest. */
    public static Role stored(String word) {
        return Objects.requireNonNullElse(ofWire(word), READ);
    }

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

    /**
     * Refuses a person whose role is not enough.
     *
     * @throws Problem {@link ErrorCode#MISSING_PERMISSION}
     */
    public void require(Role needed) {
        if (!covers(needed)) {
            throw Problem.of(
                    ErrorCode.MISSING_PERMISSION,
                    this == READ ? "You can only read here" : "You can only read and decide here",
                    "Ask an owner to do it, or to give you the role " + needed.wireName()
                            + " at People in the console.");
        }
    }

    /** The flags that a person of this role has. */
    public Set<Permission> flags() {
        Set<Permission> flags = EnumSet.allOf(Permission.class);
        flags.removeIf(flag ->
                this != OWN && !flag.name().endsWith("_READ") && (this != APPROVE || !DECISIONS.contains(flag)));
        return flags;
    }

    /**
     * The role that a call takes of a person, whatever flags it holds: what is not known to change nothing takes
     * the highest.
     *
     * @param method of the route
     * @param template its path with the names of parameters
     * @param access its rule
     */
    public static Role needed(String method, String template, Access access) {
        if (method.equals("GET") || OPEN.contains(method + " " + template)) {
            return READ;
        }
        boolean decides = access instanceof Permission permission && DECISIONS.contains(permission);
        return decides && !RESUMING.contains(method + " " + template) ? APPROVE : OWN;
    }
}
