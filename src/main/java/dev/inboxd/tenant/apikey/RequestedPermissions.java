package dev.inboxd.tenant.apikey;

import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.json.JsonBody;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** What a request says about a key's permissions. Saying null is not the same as saying nothing (identity.md §5.6). */
sealed interface RequestedPermissions {
    /** Nothing. */
    record Omitted() implements RequestedPermissions {}

    /** {@code null}: everything. */
    record Unrestricted() implements RequestedPermissions {}

    /**
     * Flag by flag.
     *
     * @param flags the flags that were named, true or false
     */
    record Listed(Map<Permission, Boolean> flags) implements RequestedPermissions {
        public Listed {
            flags = Map.copyOf(flags);
        }

        /** The flags that shall be held. */
        Set<Permission> granted() {
            Set<Permission> granted = EnumSet.noneOf(Permission.class);
            flags.forEach((flag, held) -> {
                if (held) {
                    granted.add(flag);
                }
            });
            return granted;
        }
    }

    /** Reads the member {@code permissions}; what is wrong with it is noted in the body. */
    static RequestedPermissions read(JsonBody body) {
        if (body.isNull("permissions")) {
            return new Unrestricted();
        }
        JsonBody permissions = body.object("permissions");
        if (permissions == null) {
            return new Omitted();
        }
        Map<Permission, Boolean> said = new EnumMap<>(Permission.class);
        for (String name : permissions.names()) {
            Permission flag = Permission.ofWire(name);
            Boolean held = permissions.flag(name);
            if (flag == null) {
                permissions.fault(name, "There is no permission of this name");
            } else if (permissions.isNull(name)) {
                permissions.fault(name, name + " must be true or false");
            } else if (held != null && !held.equals(said.getOrDefault(flag, held))) {
                // identity.md §5.1: two names of one flag must say the same.
                permissions.fault(name, name + " is another name of a permission that has another value here");
            } else if (held != null) {
                said.put(flag, held);
            }
        }
        return new Listed(said);
    }
}
