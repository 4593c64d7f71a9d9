package dev.inboxd.notify.webhook;

import java.util.Locale;

/** The URL of a webhook in its normal form (RFC 3986 §6.2.2, §6.2.3), in which it is kept and compared. */
public final class WebhookUrl {
    private WebhookUrl() {}

    /** Without white space around it and without the usual port; scheme and host in lower case. */
    public static String normal(String written) {
        String url = written.strip();
        int scheme = url.indexOf("://");
        if (scheme < 0) {
            return url;
        }
        int end = scheme + "://".length();
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String origin = url.substring(0, end).toLowerCase(Locale.ROOT);
        String usual = origin.startsWith("https:") ? ":443" : ":80";
        return (origin.endsWith(usual) ? origin.substring(0, origin.length() - usual.length()) : origin)
                + url.substring(end);
    }

    /** Whether white space stands within it. */
    static boolean isBroken(String url) {
        return url.chars().anyMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c));
    }
}
