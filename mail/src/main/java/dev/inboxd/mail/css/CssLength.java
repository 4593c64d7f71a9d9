package dev.inboxd.mail.css;

import org.jspecify.annotations.Nullable;

/**
 * A number with its unit (CSS Values 4).
 *
 * @param unit in small letters; empty for a number alone
 */
public record CssLength(double number, String unit) {
    /** The size of a letter where nothing says another, in pixels. */
    public static final double MEDIUM = 16;

    /** The width in pixels of the page that is assumed. */
    public static final double PAGE = 800;

    private static final double ROOT = 16;
    private static final double HEIGHT = 600;
    private static final double LINE = 1.2;
    private static final int MAX_LENGTH = 128;

    /** Reads a value; null when it is no number with a unit, such as a calculation. */
    public static @Nullable CssLength of(String value) {
        int end = 0;
        boolean digit = false;
        while (end < value.length() && isOfNumber(value, end)) {
            digit |= Character.digit(value.charAt(end), 10) >= 0;
            end++;
        }
        if (!digit || value.length() > MAX_LENGTH) {
            return null;
        }
        for (int i = end; i < value.length(); i++) {
            if (!(value.charAt(i) >= 'a' && value.charAt(i) <= 'z') && value.charAt(i) != '%') {
                return null;
            }
        }
        try {
            return new CssLength(Double.parseDouble(value.substring(0, end)), value.substring(end));
        } catch (NumberFormatException none) {
            return null;
        }
    }

    private static boolean isOfNumber(String value, int at) {
        char c = value.charAt(at);
        boolean sign = (c == '-' || c == '+') && (at == 0 || value.charAt(at - 1) == 'e');
        return sign || c == '.' || (c >= '0' && c <= '9') || (c == 'e' && isExponent(value, at));
    }

    private static boolean isExponent(String value, int at) {
        int next = at + 1 < value.length() && "+-".indexOf(value.charAt(at + 1)) >= 0 ? at + 2 : at + 1;
        return at > 0 && next < value.length() && Character.isDigit(value.charAt(next));
    }

    /** Pixels of a value, also of a calculation; NaN when it is not read. */
    public static double pixels(String value, double font, double basis) {
        CssLength length = of(value);
        return length == null ? CssCalc.pixels(value, font, basis) : length.pixels(font, basis);
    }

    /** Whether it is a length of CSS: of numbers without a unit 0 alone is one. */
    boolean isLength() {
        return !unit.isEmpty() || number == 0;
    }

    /**
     * Pixels.
     *
     * @param font the size of the font, which {@code em} counts
     * @param basis what a percentage counts; NaN when that is not known
     */
    public double pixels(double font, double basis) {
        double pixelsPerUnit = switch (unit) {
            case "", "px" -> 1;
            case "pt" -> 96.0 / 72;
            case "pc" -> 16;
            case "in" -> 96;
            case "cm" -> 96 / 2.54;
            case "mm" -> 96 / 25.4;
            case "q" -> 96 / 101.6;
            case "em", "ic" -> font;
            case "ex", "ch", "cap" -> font / 2;
            case "lh" -> font * LINE;
            case "rem" -> ROOT;
            case "rlh" -> ROOT * LINE;
            case "vw", "vi", "vmax", "svw", "lvw", "dvw", "svi", "lvi", "dvi", "svmax", "lvmax", "dvmax" -> PAGE / 100;
            case "cqw", "cqi", "cqmax" -> PAGE / 100;
            case "vh", "vb", "vmin", "svh", "lvh", "dvh", "svb", "lvb", "dvb", "svmin", "lvmin", "dvmin" ->
                HEIGHT / 100;
            case "cqh", "cqb", "cqmin" -> HEIGHT / 100;
            case "%" -> basis / 100;
            default -> number == 0 ? 1 : Double.NaN;
        };
        return number * pixelsPerUnit;
    }
}
