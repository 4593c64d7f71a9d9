package dev.inboxd.mail.css;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits the text of CSS (CSS Syntax 3) as far as it is read here. Each character is looked at a bounded number of
 * times.
 */
public final class CssText {
    private static final int MAX_ESCAPE = 6;

    private CssText() {}

    /** CSS with a space for each comment, and without the marks of comments of HTML. */
    static String withoutComments(String css) {
        String text = css.contains("<!--") || css.contains("-->")
                ? css.replace("<!--", " ").replace("-->", " ")
                : css;
        int open = text.indexOf("/*");
        if (open < 0) {
            return text;
        }
        StringBuilder stripped = new StringBuilder(text.length());
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"' || c == '\'') {
                at = endOfString(text, at);
            } else if (c == '/' && text.startsWith("/*", at)) {
                int close = text.indexOf("*/", at + 2);
                stripped.append(text, from, at).append(' ');
                from = close < 0 ? text.length() : close + 2;
                at = from - 1;
            }
        }
        return stripped.append(text, from, text.length()).toString();
    }

    /** The place of the first of these characters outside of strings and brackets; the length when there is none. */
    static int next(String css, int from, String delimiters) {
        int depth = 0;
        for (int at = from; at < css.length(); at++) {
            char c = css.charAt(at);
            if (isOfName(c)) {
                continue;
            }
            if (depth == 0 && delimiters.indexOf(c) >= 0) {
                return at;
            }
            switch (c) {
                case '\\' -> at++;
                case '"', '\'' -> at = endOfString(css, at);
                case '(', '[' -> depth++;
                case ')', ']' -> depth = Math.max(0, depth - 1);
                default -> {}
            }
        }
        return css.length();
    }

    /** Whether a character is one of those of names, which are the most, and part nothing. */
    private static boolean isOfName(char c) {
        return (c >= 'a' && c <= 'z') || c == '-' || (c >= '0' && c <= '9');
    }

    /** The place of the brace that closes the one at a place; the length when there is none. */
    static int endOfBlock(String css, int open) {
        int depth = 0;
        for (int at = open; at < css.length(); at++) {
            switch (css.charAt(at)) {
                case '\\' -> at++;
                case '"', '\'' -> at = endOfString(css, at);
                case '{' -> depth++;
                case '}' -> depth--;
                default -> {}
            }
            if (depth == 0) {
                return at;
            }
        }
        return css.length();
    }

    /** The place of the quotation mark that ends a string; a string ends with its line too. */
    private static int endOfString(String css, int start) {
        char quote = css.charAt(start);
        int at = start + 1;
        while (at < css.length() && css.charAt(at) != quote && css.charAt(at) != '\n') {
            at += css.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at, css.length());
    }

    /** The parts between such characters outside of strings and brackets, without spaces around them. */
    public static List<String> split(String css, String separators) {
        List<String> parts = new ArrayList<>();
        for (int start = 0; start <= css.length(); ) {
            int end = next(css, start, separators);
            String part = css.substring(start, end).strip();
            if (!part.isEmpty()) {
                parts.add(part);
            }
            start = end + 1;
        }
        return parts;
    }

    /** The words of a value. */
    public static List<String> words(String value) {
        return split(value, " \t\r\n\f");
    }

    /** A name or value with its escapes read (CSS Syntax 3 §4.3.7). */
    static String unescaped(String text) {
        int at = text.indexOf('\\');
        if (at < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        int from = 0;
        while (at >= 0 && at + 1 < text.length()) {
            plain.append(text, from, at);
            int end = at + 1;
            while (end < text.length() && end - at <= MAX_ESCAPE && Character.digit(text.charAt(end), 16) >= 0) {
                end++;
            }
            if (end == at + 1) {
                from = end;
                at = text.indexOf('\\', from + 1);
                continue;
            }
            int point = Integer.parseInt(text, at + 1, end, 16);
            plain.appendCodePoint(Character.isValidCodePoint(point) && point > 0 ? point : 0xFFFD);
            from = end < text.length() && text.charAt(end) <= ' ' ? end + 1 : end;
            at = text.indexOf('\\', from);
        }
        return plain.append(text, from, text.length()).toString();
    }
}
