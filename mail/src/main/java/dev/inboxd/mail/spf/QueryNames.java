package dev.inboxd.mail.spf;

/** Checks of names before a DNS lookup. */
final class QueryNames {
    private static final int LONGEST = 253;
    private static final int LONGEST_LABEL = 63;

    private QueryNames() {}

    /**
     * Whether a name is a domain with at least two labels (RFC 7208 §4.3): no address literal, no empty label, none
     * over 63 octets.
     */
    static boolean isQualified(String name) {
        String bare = withoutFinalDot(name);
        int label = 0;
        for (int i = 0; i < bare.length(); i++) {
            char c = bare.charAt(i);
            if (c == '[' || c == ']' || (c == '.' && label == 0)) {
                return false;
            }
            label = c == '.' ? 0 : label + 1;
            if (label > LONGEST_LABEL) {
                return false;
            }
        }
        return label > 0 && bare.length() <= LONGEST && bare.indexOf('.') > 0;
    }

    static String withoutFinalDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** Removes labels from the left until the rest is short enough for a name (RFC 7208 §7.3). */
    static String fitting(String name) {
        String trimmed = withoutFinalDot(name);
        if (trimmed.length() <= LONGEST) {
            return trimmed;
        }
        int dot = trimmed.indexOf('.', trimmed.length() - LONGEST - 1);
        return dot < 0 ? trimmed : trimmed.substring(dot + 1);
    }

    /** Whether a name is that domain or below it; both in lower case. */
    static boolean isWithin(String name, String domain) {
        return name.equals(domain) || name.endsWith("." + domain);
    }
}
