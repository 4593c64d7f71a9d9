package dev.inboxd.mcp;

import java.util.Locale;

/**
 * An argument of a tool, or a member of a result.
 *
 * @param name in camel case
 * @param place where a route takes it, if not in its path
 * @param required whether it is always there
 * @param form what its value is
 */
record ToolMember(String name, Place place, boolean required, MemberForm form) {
    /** Where a route takes an argument that is not in its path. */
    enum Place {
        /** The query of GET, the body otherwise. */
        USUAL,
        QUERY,
        HEADER
    }

    /** Its name in the interface: in snake case. */
    String routeName() {
        return separated('_');
    }

    /** Its name as a header field, in lower case. */
    String headerName() {
        return separated('-');
    }

    private String separated(char separator) {
        StringBuilder separated = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                separated.append(separator);
            }
            separated.append(Character.toLowerCase(c));
        }
        return separated.toString();
    }

    /** A name of the interface in camel case. */
    static String camelCase(String routeName) {
        int underscore = routeName.indexOf('_');
        if (underscore < 1 || underscore == routeName.length() - 1) {
            return routeName;
        }
        return routeName.substring(0, underscore)
                + routeName.substring(underscore + 1, underscore + 2).toUpperCase(Locale.ROOT)
                + camelCase(routeName.substring(underscore + 2));
    }
}
