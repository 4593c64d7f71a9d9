package dev.inboxd.mail.screen;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of {@code <style>} elements, by the class, id or element that the last part of a selector names. What holds
 * only for some screens or for print is left out.
 */
final class StyleSheet {
    private static final int MAX_RULES = 2000;
    private static final int MAX_SELECTOR = 1000;

    private final Map<String, Style> rules = new HashMap<>();

    void read(String source) {
        String css = CssText.withoutComments(source.replace("<!--", "").replace("-->", ""));
        int at = 0;
        while (at < css.length() && rules.size() < MAX_RULES) {
            int open = css.indexOf('{', at);
            if (open < 0) {
                return;
            }
            String selector = css.substring(Math.max(at, open - MAX_SELECTOR), open).strip();
            if (selector.startsWith("@")) {
                at = isForAll(selector) ? open + 1 : endOfBlock(css, open);
                continue;
            }
            int close = css.indexOf('}', open);
            close = close < 0 ? css.length() : close;
            add(selector, CssText.style(css.substring(open + 1, close)));
            at = close + 1;
        }
    }

    private static boolean isForAll(String selector) {
        return selector.startsWith("@media") && selector.indexOf('(') < 0 && !selector.contains("print");
    }

    private static int endOfBlock(String css, int open) {
        int depth = 0;
        for (int i = open; i < css.length(); i++) {
            char c = css.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return css.length();
    }

    private void add(String selectors, Style style) {
        if (style.equals(Style.NONE)) {
            return;
        }
        int start = 0;
        for (int i = 0; i <= selectors.length(); i++) {
            if (i == selectors.length() || selectors.charAt(i) == ',') {
                String key = key(selectors.substring(start, i).strip());
                if (!key.isEmpty()) {
                    rules.merge(key, style, (known, later) -> later.over(known));
                }
                start = i + 1;
            }
        }
    }

    private static String key(String selector) {
        int start = 0;
        for (int i = 0; i < selector.length(); i++) {
            char c = selector.charAt(i);
            if (c == ':' || c == '[' || c == '*') {
                return "";
            }
            start = c <= ' ' || c == '>' || c == '+' || c == '~' ? i + 1 : start;
            start = c == '.' || c == '#' ? i : start;
        }
        String last = selector.substring(start);
        return last.startsWith(".") || last.startsWith("#") ? last : last.toLowerCase(java.util.Locale.ROOT);
    }

    /** The style that an element gets by its name, classes and id. */
    Style of(String element, @Nullable String classes, @Nullable String id) {
        if (rules.isEmpty()) {
            return Style.NONE;
        }
        Style style = rules.getOrDefault(element, Style.NONE);
        if (classes != null) {
            for (String one : CssText.words(classes)) {
                style = rules.getOrDefault("." + one, Style.NONE).over(style);
            }
        }
        return id == null ? style : rules.getOrDefault("#" + id.strip(), Style.NONE).over(style);
    }
}
