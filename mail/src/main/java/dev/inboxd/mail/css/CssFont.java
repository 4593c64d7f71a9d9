package dev.inboxd.mail.css;

import java.util.List;

/** How letters are set (CSS Fonts 4). */
final class CssFont {
    private static final int BOLD = 600;
    private static final List<String> FIXED = List.of(
            "monospace", "courier", "consolas", "menlo", "monaco", "sfmono", "sf mono", "roboto mono", "source code");

    private CssFont() {}

    /** The weight in a value of {@code font}. */
    static String weight(String font) {
        for (String word : CssText.words(font)) {
            CssLength number = CssLength.of(word);
            boolean weight = number != null && number.unit().isEmpty() && number.number() >= 100;
            if (word.equals("bold") || word.equals("bolder") || weight) {
                return word;
            }
        }
        return "normal";
    }

    /**
     * Whether letters are bold.
     *
     * @param weight a value of {@code font-weight}
     * @param around whether those around are
     */
    static boolean isBold(String weight, boolean around) {
        CssLength number = CssLength.of(weight);
        return switch (weight) {
            case "bold", "bolder" -> true;
            case "normal", "lighter", "initial" -> false;
            default -> number == null ? around : number.number() >= BOLD;
        };
    }

    /** Whether the letters of a font that a value of {@code font} or {@code font-family} names first have one width. */
    static boolean isFixed(String family) {
        int comma = family.indexOf(',');
        String first = comma < 0 ? family : family.substring(0, comma);
        return FIXED.stream().anyMatch(first::contains) || family.endsWith("monospace");
    }
}
