package dev.inboxd.access;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The three tiers a credential can be bound to (contract: identity.md §5.3). */
public enum Scope {
    ORGANIZATION(EnumSet.noneOf(Permission.class)),
    POD(EnumSet.of(Permission.POD_CREATE, Permission.POD_DELETE)),
    INBOX(EnumSet.of(Permission.INBOX_CREATE, Permission.DOMAIN_READ, Permission.DOMAIN_CREATE,
            Permission.DOMAIN_UPDATE, Permission.DOMAIN_DELETE, Permission.POD_READ, Permission.POD_CREATE,
            Permission.POD_UPDATE, Permission.POD_DELETE));

    private final EnumSet<Permission> never;

    Scope(EnumSet<Permission> never) {
        this.never = never;
    }

    /** The flags that have no effect on a credential of this tier, whatever it was given. */
    public Set<Permission> never() {
        return Set.copyOf(never);
    }

    /** The {@code scope_type} on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
