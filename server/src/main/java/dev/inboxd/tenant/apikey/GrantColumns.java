package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Statement;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The columns of a key's row that have its grant. */
final class GrantColumns {
    /** The columns of the permissions that are given by name alone. */
    private static final Map<Permission, String> NAMED = new EnumMap<>(Map.of(
            Permission.PROVIDER_CONNECT,
            "provider_connect",
            Permission.MESSAGE_RELEASE,
            "message_release",
            Permission.DRAFT_APPROVE,
            "draft_approve",
            Permission.AUDIT_READ,
            "audit_read"));

    /** The columns of a key {@code k} that {@link #read} reads. */
    static final String ALL = "k.permissions, k.permissions is null as unrestricted, k.provider_connect,"
            + " k.message_release, k.draft_approve, k.audit_read, k.send_approval";

    private GrantColumns() {}

    static ApiKey.Grant read(Row row) {
        Set<Permission> named = EnumSet.noneOf(Permission.class);
        NAMED.forEach((permission, column) -> {
            if (row.flag(column)) {
                named.add(permission);
            }
        });
        return new ApiKey.Grant(row.flag("unrestricted") ? null : permissions(row), named, row.flag("send_approval"));
    }

    /** Binds {@code permissions} and a parameter for each column of {@link #ALL}. */
    static void bind(Statement row, ApiKey.Grant grant) {
        row.bind("permissions", wire(grant.permissions()))
                .bind("connect", grant.named().contains(Permission.PROVIDER_CONNECT))
                .bind("release", grant.named().contains(Permission.MESSAGE_RELEASE))
                .bind("approve", grant.named().contains(Permission.DRAFT_APPROVE))
                .bind("audit", grant.named().contains(Permission.AUDIT_READ))
                .bind("approval", grant.needsApproval());
    }

    private static Set<Permission> permissions(Row row) {
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        for (String wire : row.texts("permissions")) {
            Permission permission = Permission.ofWire(wire);
            if (permission != null) {
                permissions.add(permission);
            }
        }
        return permissions;
    }

    private static String @Nullable [] wire(@Nullable Set<Permission> permissions) {
        return permissions == null
                ? null
                : permissions.stream().map(Permission::wireName).toArray(String[]::new);
    }
}
