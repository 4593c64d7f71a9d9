package dev.inboxd.base.access;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every permission flag that can be set on a key (identity.md §5.1). The order is stored: append only. */
public enum Permission implements Access {
    INBOX_READ,
    INBOX_CREATE,
    INBOX_UPDATE,
    INBOX_DELETE,
    MESSAGE_READ,
    MESSAGE_SEND,
    MESSAGE_UPDATE,
    MESSAGE_DELETE,
    LABEL_SPAM_READ,
    LABEL_BLOCKED_READ,
    LABEL_UNAUTHENTICATED_READ,
    LABEL_TRASH_READ,
    DRAFT_READ,
    DRAFT_CREATE,
    DRAFT_UPDATE,
    DRAFT_DELETE,
    DRAFT_SEND,
    WEBHOOK_READ,
    WEBHOOK_CREATE,
    WEBHOOK_UPDATE,
    WEBHOOK_DELETE,
    DOMAIN_READ,
    DOMAIN_CREATE,
    DOMAIN_UPDATE,
    DOMAIN_DELETE,
    LIST_ENTRY_READ,
    LIST_ENTRY_CREATE,
    LIST_ENTRY_DELETE,
    METRICS_READ,
    API_KEY_READ,
    API_KEY_CREATE,
    API_KEY_UPDATE,
    API_KEY_DELETE,
    PROVIDER_CONNECT,
    PROVIDER_SHARE_OWNER,
    ACCOUNT_UPDATE,
    POD_READ,
    POD_CREATE,
    POD_DELETE,
    CALENDAR_READ,
    CALENDAR_UPDATE,
    CALENDAR_EVENT_READ,
    CALENDAR_EVENT_CREATE,
    CALENDAR_EVENT_UPDATE,
    CALENDAR_EVENT_DELETE,
    MESSAGE_REPLY,
    POD_UPDATE,
    MESSAGE_RELEASE,
    DRAFT_APPROVE,
    AUDIT_READ;

    private static final Map<String, Permission> BY_WIRE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Permission::wireName, Function.identity()));
    private static final Set<Permission> BY_NAME_ALONE =
            Set.of(PROVIDER_CONNECT, MESSAGE_RELEASE, DRAFT_APPROVE, AUDIT_READ);
    private static final Set<Permission> WITHHELD = Set.of(
            API_KEY_CREATE, LIST_ENTRY_CREATE, LIST_ENTRY_DELETE, POD_CREATE, POD_UPDATE, POD_DELETE, PROVIDER_CONNECT);

    /** The flag's name on the wire. */
    @Override
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a key holds it only when it was given by its name (ruling 43): no other grant includes it. */
    public boolean isByNameAlone() {
        return BY_NAME_ALONE.contains(this);
    }

    /** Whether no key holds it until a human has verified the organization (identity.md §5.3). */
    public boolean needsVerification() {
        return WITHHELD.contains(this);
    }

    /** The newer name of a flag whose older one is shown too (identity.md §5.1); null when it has one name. */
    public @Nullable String otherName() {
        return switch (this) {
            case PROVIDER_CONNECT -> "app_connect";
            case PROVIDER_SHARE_OWNER -> "app_share_owner";
            default -> null;
        };
    }

    /** The names of all flags, in their order. */
    public static List<String> wireNames() {
        return Stream.of(values()).map(Permission::wireName).toList();
    }

    /** The flag of that wire name, or null. Input aliases (identity.md §5.1) are understood. */
    public static @Nullable Permission ofWire(String name) {
        return switch (name) {
            case "app_connect" -> PROVIDER_CONNECT;
            case "app_share_owner" -> PROVIDER_SHARE_OWNER;
            case "thread_read" -> MESSAGE_READ;
            case "thread_delete" -> MESSAGE_DELETE;
            default -> BY_WIRE.get(name);
        };
    }
}
