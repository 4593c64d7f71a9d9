package dev.inboxd.account.oauth;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.json.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How much a person lets a program do, as the page of consent offers it and as {@code scope} names it. */
public enum OAuthAccess {
    /** Reads mail, drafts and the calendar. */
    READ,
    /** Writes too; whatever leaves waits until somebody approves it. */
    WRITE,
    /** Whatever a key may do that nobody gave anything by name, but for making keys, which would outlive its own. */
    ALL;

    private static final Set<Permission> READING = EnumSet.of(
            Permission.INBOX_READ,
            Permission.MESSAGE_READ,
            Permission.DRAFT_READ,
            Permission.CALENDAR_READ,
            Permission.CALENDAR_EVENT_READ);
    private static final Set<Permission> WRITING = EnumSet.of(
            Permission.MESSAGE_SEND,
            Permission.MESSAGE_REPLY,
            Permission.MESSAGE_UPDATE,
            Permission.DRAFT_CREATE,
            Permission.DRAFT_UPDATE,
            Permission.DRAFT_DELETE,
            Permission.DRAFT_SEND,
            Permission.CALENDAR_UPDATE,
            Permission.CALENDAR_EVENT_CREATE,
            Permission.CALENDAR_EVENT_UPDATE,
            Permission.CALENDAR_EVENT_DELETE);

    private static final Set<Permission> KEYS = EnumSet.of(Permission.API_KEY_CREATE, Permission.API_KEY_UPDATE);

    /** The name in {@code scope} and in forms. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The access of a name; null when there is none. */
    public static @Nullable OAuthAccess of(String name) {
        return Stream.of(values())
                .filter(access -> access.wireName().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** All names. */
    static List<String> names() {
        return Stream.of(values()).map(OAuthAccess::wireName).toList();
    }

    /**
     * Adds to the body of a new key what it may do: no more than the giver, and nothing that is given by name alone.
     *
     * @param scope that of the key
     */
    JsonObject addTo(JsonObject key, Caller giver, Scope scope) {
        JsonObject permissions = new JsonObject();
        for (Permission permission : Permission.values()) {
            if (allows(permission) && giver.holds(permission) && scope.allows(permission)) {
                permissions.with(permission.wireName(), true);
            }
        }
        key.with("permissions", permissions);
        return this == WRITE ? key.with("send_approval", "required") : key;
    }

    private boolean allows(Permission permission) {
        return switch (this) {
            case READ -> READING.contains(permission);
            case WRITE -> READING.contains(permission) || WRITING.contains(permission);
            case ALL -> !permission.isByNameAlone() && !KEYS.contains(permission);
        };
    }
}
