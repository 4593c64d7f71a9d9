package dev.inboxd.mail.css;

import java.util.Locale;

/** Evaluates media queries (Media Queries 4) for a screen 800 px wide in light colours. */
final class CssMedia {
    private CssMedia() {}

    /** Whether one of the queries of a list holds; an empty list does. */
    static CssTruth of(String list) {
        String text = CssText.unescaped(list).toLowerCase(Locale.ROOT).strip();
        if (text.isEmpty()) {
            return CssTruth.YES;
        }
        CssTruth any = CssTruth.NO;
        for (String query : CssText.split(text, ",")) {
            any = any.or(query(query));
        }
        return any;
    }

    private static CssTruth query(String query) {
        CssTruth all = CssTruth.YES;
        boolean not = false;
        boolean or = false;
        CssTruth any = CssTruth.NO;
        for (String word : CssText.words(query.replace("(", " (").replace(")", ") "))) {
            switch (word) {
                case "not" -> not = true;
                case "and", "only" -> {}
                case "or" -> or = true;
                default -> {
                    CssTruth condition = word.startsWith("(") ? feature(word) : type(word);
                    all = all.and(condition);
                    any = any.or(condition);
                }
            }
        }
        CssTruth result = or ? any : all;
        return not ? result.not() : result;
    }

    private static CssTruth type(String type) {
        return switch (type) {
            case "all", "screen" -> CssTruth.YES;
            case "print", "speech", "tty", "tv", "projection", "handheld", "braille", "embossed", "aural" ->
                CssTruth.NO;
            default -> CssTruth.MAYBE; // names that some program takes for its own
        };
    }

    private static CssTruth feature(String bracketed) {
        String feature =
                bracketed.substring(1, Math.max(1, bracketed.length() - 1)).strip();
        if (feature.indexOf('<') >= 0 || feature.indexOf('>') >= 0) {
            return range(feature);
        }
        int colon = feature.indexOf(':');
        String name = (colon < 0 ? feature : feature.substring(0, colon)).strip();
        String value = colon < 0 ? "" : feature.substring(colon + 1).strip();
        return switch (name) {
            case "min-width", "min-device-width" -> compared(value, 1);
            case "max-width", "max-device-width" -> compared(value, -1);
            case "width", "device-width" -> value.isEmpty() ? CssTruth.YES : compared(value, 0);
            case "prefers-color-scheme" -> CssTruth.of(value.equals("light"));
            case "color" -> CssTruth.of(value.isEmpty());
            case "monochrome", "-ms-high-contrast" -> CssTruth.NO;
            default -> CssTruth.MAYBE;
        };
    }

    /** @param sign 1 when the page has to be at least as wide, -1 when at most, 0 when as wide */
    private static CssTruth compared(String value, int sign) {
        CssLength length = CssLength.of(value);
        double pixels = length == null || !length.isLength() ? Double.NaN : length.pixels(16, Double.NaN);
        if (Double.isNaN(pixels)) {
            return CssTruth.MAYBE;
        }
        int page = Double.compare(CssLength.PAGE, pixels);
        return CssTruth.of(sign == 0 ? page == 0 : page * sign >= 0);
    }

    /** A range such as {@code width >= 600px}, or {@code 400px <= width < 700px}. */
    private static CssTruth range(String feature) {
        CssTruth all = CssTruth.YES;
        String left = "";
        int start = 0;
        int sign = 0;
        for (int at = 0; at <= feature.length(); at++) {
            char c = at < feature.length() ? feature.charAt(at) : '>';
            if (c != '<' && c != '>') {
                continue;
            }
            String right = feature.substring(start, at).strip();
            if (sign != 0) {
                all = all.and(
                        left.equals("width")
                                ? compared(right, sign)
                                : right.equals("width") ? compared(left, -sign) : CssTruth.MAYBE);
            }
            left = right;
            sign = c == '>' ? 1 : -1;
            start = at + 1 < feature.length() && feature.charAt(at + 1) == '=' ? at + 2 : at + 1;
            start = Math.min(start, feature.length());
        }
        return all;
    }
}
