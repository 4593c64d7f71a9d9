package dev.inboxd.mail.url;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Normalizes the path of a URL: backslashes are slashes, dot segments are removed (RFC 3986 §5.2.4). */
public final class UrlPath {
    private UrlPath() {}

    /** The path, percent-encoded; the root for an empty text. */
    public static String of(String text) {
        Deque<String> segments = new ArrayDeque<>();
        int start = text.isEmpty() || !isSlash(text.charAt(0)) ? 0 : 1;
        for (int i = start; i <= text.length(); i++) {
            boolean isLast = i == text.length();
            if (isLast || isSlash(text.charAt(i))) {
                add(text.substring(start, i), isLast, segments);
                start = i + 1;
            }
        }
        return "/" + String.join("/", segments);
    }

    private static void add(String segment, boolean isLast, Deque<String> segments) {
        String plain = segment.toLowerCase(Locale.ROOT).replace("%2e", ".");
        if (!plain.equals(".") && !plain.equals("..")) {
            segments.add(UrlEncoding.path(segment));
            return;
        }
        if (plain.equals("..")) {
            segments.pollLast();
        }
        if (isLast) {
            segments.add("");
        }
    }

    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }
}
