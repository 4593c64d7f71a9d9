package dev.inboxd.base.access;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The three tiers a credential can be bound to (identity.md §5.3). */
public enum Scope {
    ORGANIZATION,
    POD,
    INBOX;

    private static final Set<Permission> NOT_IN_POD =
            EnumSet.of(Permission.POD_CREATE, Permission.POD_DELETE, Permission.AUDIT_READ);
    private static final Set<Permission> NOT_IN_INBOX = EnumSet.of(
            Permission.INBOX_CREATE,
            Permission.DOMAIN_READ,
            Permission.DOMAIN_CREATE,
            Permission.DOMAIN_UPDATE,
            Permission.DOMAIN_DELETE,
            Permission.POD_READ,
            Permission.POD_CREATE,
            Permission.POD_UPDATE,
            Permission.POD_DELETE,
            Permission.AUDIT_READ);

    /** Whether the flag can have an effect on a credential of this tier. */
    public boolean allows(Permission permission) {
        return switch (this) {
            case ORGANIZATION -> true;
            case POD -> !NOT_IN_POD.contains(permission);
            case INBOX -> !NOT_IN_INBOX.contains(permission);
        };
    }

    /** The {@code scope_type} on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
