package dev.inboxd.mail.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads declarations of CSS as far as they hide text. */
final class CssText {
    private static final int MAX_VALUE = 200;
    private static final double OUTSIDE = -300;
    private static final double SMALL = 2;
    private static final double FAINT = 0.1;

    private CssText() {}

    /** The style of declarations {@code name: value; …}. */
    static Style style(String css) {
        String text = withoutComments(css).toLowerCase(Locale.ROOT);
        Style style = Style.NONE;
        boolean empty = false;
        boolean clipped = false;
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf(';', start);
            end = end < 0 ? text.length() : end;
            int colon = text.indexOf(':', start);
            if (colon > 0 && colon < end && end - colon <= MAX_VALUE) {
                String name = text.substring(start, colon).strip();
                String value = value(text.substring(colon + 1, end));
                empty |= isEmpty(name, value);
                clipped |= name.startsWith("overflow") && (value.startsWith("hidden") || value.startsWith("clip"));
                style = declared(name, value).over(style);
            }
            start = end + 1;
        }
        return empty && clipped ? style.withGone() : style;
    }

    private static String value(String text) {
        int important = text.indexOf('!');
        return (important < 0 ? text : text.substring(0, important)).strip();
    }

    private static boolean isEmpty(String name, String value) {
        return (name.endsWith("height") || name.endsWith("width")) && !name.startsWith("line") && !name.startsWith("b")
                && isNumber(value) && number(value) <= 1 && !value.endsWith("%") && !value.endsWith("em");
    }

    private static Style declared(String name, String value) {
        return switch (name) {
            case "display" -> gone(value.equals("none"));
            case "visibility" -> invisible(!value.equals("visible"));
            case "opacity" -> gone(isNumber(value) && number(value) < (value.endsWith("%") ? 10 : FAINT));
            case "font-size" -> tiny(isSmall(value));
            case "text-indent", "left", "top", "right", "bottom", "margin-left", "margin-top", "margin" ->
                    gone(isNumber(value) && number(value) * unit(value) <= OUTSIDE);
            case "clip" -> gone(value.startsWith("rect(0") || value.startsWith("rect(1px"));
            case "clip-path" -> gone(value.startsWith("inset(50%") || value.startsWith("inset(100%")
                    || value.startsWith("circle(0"));
            case "transform" -> gone(value.contains("scale(0)") || value.contains("scale(0,")
                    || value.contains("translate") && value.contains("-9999"));
            case "filter" -> gone(value.startsWith("opacity(0"));
            case "content-visibility" -> gone(value.equals("hidden"));
            case "color", "-webkit-text-fill-color" -> Style.NONE.withColors(CssColor.of(value), CssColor.UNSAID);
            case "background", "background-color", "background-image" ->
                    Style.NONE.withColors(CssColor.UNSAID, CssColor.ofBackground(value));
            default -> Style.NONE;
        };
    }

    private static boolean isSmall(String value) {
        return isNumber(value) && number(value) * unit(value) <= SMALL;
    }

    /** Pixels of a unit, roughly. */
    private static double unit(String value) {
        return value.endsWith("em") ? 16 : value.endsWith("%") ? 0.16 : value.endsWith("vw") ? 10 : 1;
    }

    private static Style gone(boolean gone) {
        return gone ? Style.NONE.withGone() : Style.NONE;
    }

    private static Style invisible(boolean invisible) {
        return new Style(false, Style.Tri.of(invisible), Style.Tri.UNSAID, CssColor.UNSAID, CssColor.UNSAID);
    }

    private static Style tiny(boolean tiny) {
        return new Style(false, Style.Tri.UNSAID, Style.Tri.of(tiny), CssColor.UNSAID, CssColor.UNSAID);
    }

    /** Whether a value begins with a number. */
    static boolean isNumber(String value) {
        int i = value.startsWith("-") || value.startsWith("+") ? 1 : 0;
        i += value.startsWith(".", i) ? 1 : 0;
        return i < value.length() && value.charAt(i) >= '0' && value.charAt(i) <= '9';
    }

    /** The number that a value begins with; 0 when there is none. */
    static double number(String value) {
        int end = value.startsWith("-") || value.startsWith("+") ? 1 : 0;
        boolean point = false;
        while (end < value.length() && end < 12) {
            char c = value.charAt(end);
            if (c == '.' && !point) {
                point = true;
            } else if (c < '0' || c > '9') {
                break;
            }
            end++;
        }
        return isNumber(value) ? Double.parseDouble(value.substring(0, end)) : 0;
    }

    /** The words of a value. */
    static List<String> words(String value) {
        List<String> words = new ArrayList<>();
        int start = -1;
        for (int i = 0; i <= value.length(); i++) {
            boolean space = i == value.length() || value.charAt(i) <= ' ' || value.charAt(i) == ')';
            if (!space && start < 0) {
                start = i;
            } else if (space && start >= 0) {
                words.add(value.substring(start, i));
                start = -1;
            }
        }
        return words;
    }

    /** CSS without what stands between slash and asterisk. */
    static String withoutComments(String css) {
        int open = css.indexOf("/*");
        if (open < 0) {
            return css;
        }
        StringBuilder rest = new StringBuilder();
        int from = 0;
        while (open >= 0) {
            rest.append(css, from, open);
            int close = css.indexOf("*/", open + 2);
            from = close < 0 ? css.length() : close + 2;
            open = css.indexOf("/*", from);
        }
        return rest.append(css, from, css.length()).toString();
    }
}
