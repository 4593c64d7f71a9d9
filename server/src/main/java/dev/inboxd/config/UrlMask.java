package dev.inboxd.config;

import java.util.Locale;

/** The URL of a server as it may be shown: without what is secret in it alone, so that a typing error can be seen. */
final class UrlMask {
    private static final String HIDDEN = "***";

    private UrlMask() {}

    /** The URL without its passwords; nothing at all of a text that is no URL, which may be a password itself. */
    static String of(String url) {
        int scheme = url.indexOf("://");
        if (scheme < 0 || !url.substring(0, scheme).chars().allMatch(c -> Character.isLetterOrDigit(c) || c == ':')) {
            return HIDDEN;
        }
        String hierPart = url.substring(scheme + 3);
        int at = hierPart.lastIndexOf('@'); // a password may have what should have been escaped
        int colon = hierPart.indexOf(':', hierPart.startsWith("[") ? Math.max(0, hierPart.indexOf(']')) : 0);
        if (at >= 0 && colon >= 0 && colon < at) {
            hierPart = hierPart.substring(0, colon + 1) + HIDDEN + hierPart.substring(at);
        } else if (at < 0 && colon >= 0 && !isPort(hierPart, colon + 1)) {
            hierPart = hierPart.substring(0, colon + 1) + HIDDEN; // the host is missing, and this is no port
        }
        return url.substring(0, scheme + 3) + options(hierPart);
    }

    private static boolean isPort(String text, int from) {
        return from < text.length() && Character.isDigit(text.charAt(from));
    }

    private static String options(String hierPart) {
        int query = hierPart.indexOf('?');
        if (query < 0) {
            return hierPart;
        }
        StringBuilder shown = new StringBuilder(hierPart.substring(0, query));
        char before = '?';
        for (String option : hierPart.substring(query + 1).split("&", -1)) {
            int equals = option.indexOf('=');
            String name = option.substring(0, Math.max(0, equals)).toLowerCase(Locale.ROOT);
            shown.append(before).append(name.contains("password") ? option.substring(0, equals + 1) + HIDDEN : option);
            before = '&';
        }
        return shown.toString();
    }
}
