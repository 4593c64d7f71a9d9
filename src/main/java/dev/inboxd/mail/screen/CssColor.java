package dev.inboxd.mail.screen;

import java.util.Map;

/** Colours of CSS Color 4 as red, green and blue in one number. */
final class CssColor {
    /** None is declared, or none that is understood. */
    static final int UNSAID = -1;

    /** It cannot be seen. */
    static final int TRANSPARENT = -2;

    /** An image or something else whose colour is not known. */
    static final int UNKNOWN = -3;

    private static final int ALIKE = 60;
    private static final double FAINT = 0.1;
    private static final Map<String, Integer> NAMES = Map.ofEntries(
            Map.entry("white", 0xFFFFFF),
            Map.entry("black", 0),
            Map.entry("red", 0xFF0000),
            Map.entry("blue", 0x0000FF),
            Map.entry("green", 0x008000),
            Map.entry("yellow", 0xFFFF00),
            Map.entry("gray", 0x808080),
            Map.entry("grey", 0x808080),
            Map.entry("silver", 0xC0C0C0),
            Map.entry("navy", 0x000080),
            Map.entry("snow", 0xFFFAFA),
            Map.entry("ivory", 0xFFFFF0),
            Map.entry("whitesmoke", 0xF5F5F5),
            Map.entry("ghostwhite", 0xF8F8FF),
            Map.entry("floralwhite", 0xFFFAF0),
            Map.entry("azure", 0xF0FFFF),
            Map.entry("mintcream", 0xF5FFFA),
            Map.entry("transparent", TRANSPARENT));

    private CssColor() {}

    /** Whether text of the one colour cannot be seen on the other. */
    static boolean areAlike(int text, int behind) {
        if (text == TRANSPARENT) {
            return true;
        }
        if (text < 0 || behind < 0) {
            return false;
        }
        int distance = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            distance += Math.abs((text >> shift & 0xFF) - (behind >> shift & 0xFF));
        }
        return distance <= ALIKE;
    }

    /** The colour that a value names, a name, {@code #rgb} or {@code rgb()}; {@link #UNSAID} for any other. */
    static int of(String value) {
        String color = value.strip();
        Integer named = NAMES.get(color);
        if (named != null) {
            return named;
        }
        if (color.startsWith("#")) {
            return hex(color.substring(1));
        }
        if (color.startsWith("rgb")) {
            return function(color);
        }
        return UNSAID;
    }

    /** The colour of a background, which may stand among other words, or be an image. */
    static int ofBackground(String value) {
        if (value.contains("url(") || value.contains("gradient")) {
            return UNKNOWN;
        }
        if (value.startsWith("rgb")) {
            return opaque(of(value));
        }
        for (String word : CssText.words(value)) {
            int color = of(word);
            if (color != UNSAID) {
                return opaque(color);
            }
        }
        return UNSAID;
    }

    private static int opaque(int color) {
        return color == TRANSPARENT ? UNSAID : color;
    }

    private static int hex(String digits) {
        int value = 0;
        int length = digits.length();
        if (length != 3 && length != 4 && length != 6 && length != 8) {
            return UNSAID;
        }
        boolean brief = length < 6;
        for (int i = 0; i < (brief ? 3 : 6); i++) {
            int digit = Character.digit(digits.charAt(i), 16);
            if (digit < 0) {
                return UNSAID;
            }
            value = brief ? value << 8 | digit * 17 : value << 4 | digit;
        }
        return value;
    }

    private static int function(String color) {
        int open = color.indexOf('(');
        if (open < 0) {
            return UNSAID;
        }
        int value = 0;
        int part = 0;
        for (String word :
                CssText.words(color.substring(open + 1).replace(',', ' ').replace('/', ' '))) {
            double number = CssText.number(word);
            if (part == 3) {
                return number < FAINT ? TRANSPARENT : value;
            }
            value = value << 8 | (int) Math.clamp(word.endsWith("%") ? number * 2.55 : number, 0, 255);
            part++;
        }
        return part == 3 ? value : UNSAID;
    }
}
