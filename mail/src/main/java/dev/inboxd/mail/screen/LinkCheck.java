package dev.inboxd.mail.screen;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Looks at links whose text names another host, and at image addresses that are to be filled with data. */
final class LinkCheck {
    private static final int MAX_SHOWN = 300;

    private final StringBuilder shown = new StringBuilder();
    private String target = "";
    private boolean within;
    private boolean deceives;
    private boolean fillable;

    void open(String element, @Nullable String href) {
        if (element.equals("a")) {
            close();
            within = href != null;
            target = href == null ? "" : host(href);
        }
    }

    void text(CharSequence text) {
        if (within && shown.length() < MAX_SHOWN) {
            shown.append(text, 0, Math.min(text.length(), MAX_SHOWN));
        }
    }

    void close() {
        if (within && !target.isEmpty()) {
            String named = host(shown.toString().strip());
            deceives |= !named.isEmpty() && !areRelated(named, target);
        }
        within = false;
        shown.setLength(0);
    }

    void image(@Nullable String source) {
        if (source == null || source.length() > 2000) {
            return;
        }
        int query = source.indexOf('?');
        String parameters = query < 0 ? "" : source.substring(query).toLowerCase(Locale.ROOT);
        fillable |= isPlaceholder(parameters);
    }

    /** Whether a place is left open for data. */
    static boolean isPlaceholder(String query) {
        boolean marked = query.indexOf('{') >= 0
                || query.indexOf('[') >= 0
                || query.indexOf('<') >= 0
                || query.contains("%7b")
                || query.contains("%5b");
        return marked
                && (query.contains("data")
                        || query.contains("content")
                        || query.contains("summary")
                        || query.contains("secret")
                        || query.contains("history")
                        || query.contains("insert")
                        || query.contains("base64"));
    }

    /** Whether the text of a link names another host than the link. */
    boolean deceives() {
        return deceives;
    }

    /** Whether an image address is to be filled with data. */
    boolean isFillable() {
        return fillable;
    }

    private static String host(String link) {
        int scheme = link.indexOf("://");
        int start = scheme >= 0 && scheme <= 5 ? scheme + 3 : link.startsWith("www.") ? 0 : -1;
        if (start < 0) {
            return "";
        }
        int end = start;
        while (end < link.length() && isHost(link.charAt(end))) {
            end++;
        }
        String host = link.substring(start, end).toLowerCase(Locale.ROOT);
        return host.indexOf('.') > 0 ? host : "";
    }

    private static boolean isHost(char c) {
        return c == '.' || c == '-' || Character.isLetterOrDigit(c);
    }

    private static boolean areRelated(String shownHost, String targetHost) {
        return lastLabels(shownHost).equals(lastLabels(targetHost));
    }

    private static String lastLabels(String host) {
        int dot = host.lastIndexOf('.');
        int before = dot <= 0 ? -1 : host.lastIndexOf('.', dot - 1);
        return host.substring(before + 1);
    }
}
