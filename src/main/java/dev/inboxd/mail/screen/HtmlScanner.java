package dev.inboxd.mail.screen;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Entities;

/** Splits HTML of any quality into text, tags and comments, with character references decoded. */
final class HtmlScanner {
    private static final int MAX_ATTRIBUTES = 64;
    private static final int MAX_NAME = 32;
    private static final int MAX_REFERENCE = 32;

    private final String html;
    private final Receiver receiver;
    private final StringBuilder text = new StringBuilder();
    private int at;
    private int nextReference = -1;

    /** Gets what is found, in order. */
    interface Receiver {
        void text(CharSequence text);

        void comment(String comment);

        /** The content of a style element. */
        void style(String css);

        void open(String name, Map<String, String> attributes);

        void close(String name);
    }

    HtmlScanner(String html, Receiver receiver) {
        this.html = html;
        this.receiver = receiver;
    }

    void read() {
        while (at < html.length()) {
            int tag = html.indexOf('<', at);
            tag = tag < 0 ? html.length() : tag;
            if (tag > at) {
                tell(at, tag);
            }
            at = tag;
            if (at < html.length()) {
                tag();
            }
        }
    }

    private void tell(int start, int end) {
        text.setLength(0);
        decode(start, end, text);
        receiver.text(text);
    }

    private void tag() {
        if (html.startsWith("<!--", at)) {
            int end = html.indexOf("-->", at + 4);
            end = end < 0 ? html.length() : end;
            receiver.comment(html.substring(Math.min(at + 4, end), end));
            at = Math.min(html.length(), end + 3);
            return;
        }
        char next = at + 1 < html.length() ? html.charAt(at + 1) : ' ';
        if (next == '!' || next == '?') {
            int end = html.indexOf('>', at);
            end = end < 0 ? html.length() : end;
            receiver.comment(html.substring(at + 2, Math.max(at + 2, end)));
            at = Math.min(html.length(), end + 1);
        } else if (next == '/' || isLetter(next)) {
            element(next == '/');
        } else {
            receiver.text("<");
            at++;
        }
    }

    private void element(boolean closes) {
        at += closes ? 2 : 1;
        int start = at;
        while (at < html.length() && isName(html.charAt(at))) {
            at++;
        }
        String name = html.substring(start, Math.min(at, start + MAX_NAME)).toLowerCase(Locale.ROOT);
        Map<String, String> attributes = attributes();
        if (closes) {
            receiver.close(name);
            return;
        }
        if (name.equals("style")) {
            int end = endOf("</style");
            receiver.style(html.substring(at, end));
            at = end;
            return;
        }
        receiver.open(name, attributes);
        if (name.equals("script") || name.equals("textarea") || name.equals("xmp")) {
            int end = endOf("</" + name);
            tell(at, end);
            at = end;
        }
    }

    private int endOf(String mark) {
        for (int i = html.indexOf("</", at); i >= 0; i = html.indexOf("</", i + 2)) {
            if (html.regionMatches(true, i, mark, 0, mark.length())) {
                return i;
            }
        }
        return html.length();
    }

    private Map<String, String> attributes() {
        Map<String, String> found = Map.of();
        while (at < html.length() && html.charAt(at) != '>') {
            int start = at;
            while (at < html.length() && isName(html.charAt(at))) {
                at++;
            }
            if (at == start) {
                at++;
                continue;
            }
            String name = html.substring(start, Math.min(at, start + MAX_NAME)).toLowerCase(Locale.ROOT);
            skipSpace();
            String value = "";
            if (at < html.length() && html.charAt(at) == '=') {
                at++;
                skipSpace();
                value = value();
            }
            found = found.isEmpty() ? new HashMap<>() : found;
            if (found.size() < MAX_ATTRIBUTES) {
                found.putIfAbsent(name, value);
            }
        }
        at = Math.min(html.length(), at + 1);
        return found;
    }

    private String value() {
        char quote = at < html.length() ? html.charAt(at) : ' ';
        int start = at;
        int end;
        if (quote == '"' || quote == '\'') {
            start++;
            end = html.indexOf(quote, start);
            end = end < 0 ? html.length() : end;
            at = Math.min(html.length(), end + 1);
        } else {
            while (at < html.length() && html.charAt(at) > ' ' && html.charAt(at) != '>') {
                at++;
            }
            end = at;
        }
        if (ampersand(start) >= end) {
            return html.substring(start, end);
        }
        StringBuilder value = new StringBuilder();
        decode(start, end, value);
        return value.toString();
    }

    private void skipSpace() {
        while (at < html.length() && html.charAt(at) <= ' ') {
            at++;
        }
    }

    /** The next ampersand. Remembered, so that each character is searched once, however many texts there are. */
    private int ampersand(int from) {
        if (nextReference < from) {
            int found = html.indexOf('&', from);
            nextReference = found < 0 ? html.length() : found;
        }
        return nextReference;
    }

    private void decode(int start, int end, StringBuilder to) {
        int from = start;
        while (from < end) {
            int reference = ampersand(from);
            if (reference >= end) {
                to.append(html, from, end);
                return;
            }
            to.append(html, from, reference);
            from = reference(reference, end, to);
        }
    }

    /** Appends what a character reference stands for (HTML §13.5), and returns the index behind it. */
    private int reference(int start, int limit, StringBuilder to) {
        int end = start + 1;
        boolean number = end < limit && html.charAt(end) == '#';
        end += number ? 1 : 0;
        while (end < limit && end - start < MAX_REFERENCE && Character.isLetterOrDigit(html.charAt(end))) {
            end++;
        }
        String name = html.substring(start + (number ? 2 : 1), end);
        int behind = end < limit && html.charAt(end) == ';' ? end + 1 : end;
        if (number) {
            int point = point(name);
            if (point > 0) {
                to.appendCodePoint(point);
                return behind;
            }
        } else if (!name.isEmpty()) {
            String known = Entities.getByName(name);
            if (!known.isEmpty()) {
                to.append(known);
                return behind;
            }
        }
        to.append('&');
        return start + 1;
    }

    private static int point(String digits) {
        boolean hexadecimal = digits.startsWith("x") || digits.startsWith("X");
        try {
            int point = hexadecimal ? Integer.parseInt(digits.substring(1), 16) : Integer.parseInt(digits);
            return Character.isValidCodePoint(point) && (point < 0xD800 || point > 0xDFFF) ? point : 0xFFFD;
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isName(char c) {
        return isLetter(c) || (c >= '0' && c <= '9') || c == '-' || c == ':' || c == '_';
    }
}
