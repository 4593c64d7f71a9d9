package dev.inboxd.mail.css;

import java.util.List;

/**
 * What the filters of a value do to letters (Filter Effects 1).
 *
 * @param opacity how much of them is left, from 0 to 1
 * @param isRecoloring whether colours may become others
 * @param isErasing whether nothing can be read afterwards, or may not
 */
public record CssFilter(double opacity, boolean isRecoloring, boolean isErasing) {
    public static final CssFilter UNREAD = new CssFilter(1, true, true);

    private static final double UNREADABLE_BLUR = 4;

    public static CssFilter of(String value) {
        double opacity = 1;
        boolean recoloring = false;
        boolean erasing = false;
        for (String function : CssText.words(value.replace(")", ") "))) {
            int open = function.indexOf('(');
            if (open < 0 || !function.endsWith(")")) {
                continue;
            }
            String argument =
                    function.substring(open + 1, function.length() - 1).strip();
            double amount = amount(argument);
            switch (function.substring(0, open)) {
                case "opacity" -> {
                    opacity *= Double.isNaN(amount) ? 1 : Math.clamp(amount, 0, 1);
                    erasing |= Double.isNaN(amount);
                }
                case "blur" -> {
                    double radius = argument.isEmpty() ? 0 : CssLength.pixels(argument, CssLength.MEDIUM, 0);
                    erasing |= Double.isNaN(radius) || radius >= UNREADABLE_BLUR;
                }
                case "brightness", "contrast" -> {
                    recoloring |= amount != 1;
                    erasing |= Double.isNaN(amount) || amount == 0;
                }
                case "saturate" -> recoloring |= amount != 1;
                case "grayscale", "sepia", "invert", "hue-rotate" -> recoloring |= amount != 0;
                default -> recoloring = true;
            }
        }
        return new CssFilter(opacity, recoloring, erasing);
    }

    private static double amount(String argument) {
        List<String> words = CssText.words(argument);
        CssLength length = words.size() == 1 ? CssLength.of(words.getFirst()) : null;
        boolean none = words.isEmpty();
        return none
                ? 1
                : length == null ? Double.NaN : length.number() / (length.unit().equals("%") ? 100 : 1);
    }
}
