package dev.inboxd.mail.css;

/** Evaluates the sums, products and comparisons of lengths (CSS Values 4 §10). Its depth and length are bounded. */
final class CssCalc {
    private static final int MAX_LENGTH = 256;
    private static final int DEEPEST = 16;
    private static final double MOST = 1e9;

    private final String text;
    private final double font;
    private final double basis;
    private int at;
    private int depth;

    private CssCalc(String text, double font, double basis) {
        this.text = text;
        this.font = font;
        this.basis = basis;
    }

    /** Pixels, as {@link CssLength#pixels} counts them; NaN for what is no calculation, or is not read. */
    static double pixels(String value, double font, double basis) {
        if (value.length() > MAX_LENGTH || value.indexOf('(') < 0) {
            return Double.NaN;
        }
        CssCalc calc = new CssCalc(value, font, basis);
        double result = calc.atom();
        calc.space();
        return calc.at == value.length() ? Math.clamp(result, -MOST, MOST) : Double.NaN;
    }

    private double sum() {
        double sum = product();
        while (true) {
            space();
            if (take('+')) {
                sum += product();
            } else if (take('-')) {
                sum -= product();
            } else {
                return sum;
            }
        }
    }

    private double product() {
        double product = atom();
        while (true) {
            space();
            if (take('*')) {
                product *= atom();
            } else if (take('/')) {
                product /= atom();
            } else {
                return product;
            }
        }
    }

    private double atom() {
        space();
        if (++depth > DEEPEST) {
            at = text.length();
            return Double.NaN;
        }
        int start = at;
        int sign = take('-') ? -1 : 1;
        while (at < text.length() && (Character.isLetter(text.charAt(at)) || (at > start && text.charAt(at) == '-'))) {
            at++;
        }
        String name = text.substring(sign < 0 ? start + 1 : start, at);
        double result;
        if (take('(')) {
            result = sign * function(name);
        } else if (name.equals("infinity")) {
            result = sign * MOST;
        } else {
            at = start;
            result = length();
        }
        depth--;
        return result;
    }

    private double function(String name) {
        double first = sum();
        double result = switch (name) {
            case "", "calc", "-webkit-calc", "-moz-calc", "webkit-calc", "moz-calc", "min", "max" -> first;
            case "clamp" -> Math.max(first, comma() ? sum() : Double.NaN);
            default -> Double.NaN;
        };
        while (comma()) {
            double next = sum();
            result = name.equals("max") ? Math.max(result, next) : Math.min(result, next);
        }
        result = name.equals("clamp") ? Math.max(first, result) : result;
        space();
        return take(')') ? result : Double.NaN;
    }

    private double length() {
        int start = at;
        while (at < text.length() && !isEnd(text.charAt(at), at > start ? text.charAt(at - 1) : ' ')) {
            at++;
        }
        CssLength length = CssLength.of(text.substring(start, at));
        return length == null ? Double.NaN : length.number() == 0 ? 0 : length.pixels(font, basis);
    }

    private boolean isEnd(char c, char before) {
        boolean sign = c == '+' || c == '-';
        return c <= ' ' || "*/(),".indexOf(c) >= 0 || (sign && before != ' ' && before != 'e');
    }

    private boolean comma() {
        space();
        return take(',');
    }

    private boolean take(char expected) {
        boolean matches = at < text.length() && text.charAt(at) == expected;
        at += matches ? 1 : 0;
        return matches;
    }

    private void space() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }
}
