package dev.inboxd.mail.css;

import java.util.List;

/**
 * What transforms do to a plane (CSS Transforms 1 §8): {@code x' = a x + c y + e}, {@code y' = b x + d y + f}. Turns
 * about the axes of the page are seen from before it.
 */
public record CssMatrix(double a, double b, double c, double d, double e, double f) {
    public static final CssMatrix IDENTITY = new CssMatrix(1, 0, 0, 1, 0, 0);

    /** Of a function that is not read. */
    public static final CssMatrix UNREAD =
            new CssMatrix(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    private static final double FLAT = 1e-9;

    /** The matrix of a value of {@code transform}; {@link #UNREAD} where one of its functions is not read. */
    public static CssMatrix of(String value, double font) {
        CssMatrix all = IDENTITY;
        for (String function : CssText.words(value.replace(")", ") "))) {
            int open = function.indexOf('(');
            if (open > 0 && function.endsWith(")")) {
                List<String> arguments = CssText.split(function.substring(open + 1, function.length() - 1), ", \t\n");
                all = all.times(of(function.substring(0, open), arguments, font));
            } else if (open >= 0) {
                return UNREAD;
            }
        }
        return all;
    }

    public static CssMatrix of(String function, List<String> arguments, double font) {
        double first = number(arguments, 0, font);
        double second = number(arguments, 1, font);
        return switch (function) {
            case "translate", "translate3d" -> moved(first, arguments.size() > 1 ? second : 0);
            case "translatex" -> moved(first, 0);
            case "translatey" -> moved(0, first);
            case "scale", "scale3d" -> scaled(factor(arguments, 0), factor(arguments, arguments.size() > 1 ? 1 : 0));
            case "scalex" -> scaled(factor(arguments, 0), 1);
            case "scaley" -> scaled(1, factor(arguments, 0));
            case "rotate", "rotatez" -> {
                double turn = angle(arguments);
                yield new CssMatrix(Math.cos(turn), Math.sin(turn), -Math.sin(turn), Math.cos(turn), 0, 0);
            }
            case "rotatex" -> scaled(1, Math.cos(angle(arguments)));
            case "rotatey" -> scaled(Math.cos(angle(arguments)), 1);
            case "skew", "skewx" -> new CssMatrix(1, 0, Math.tan(angle(arguments)), 1, 0, 0);
            case "skewy" -> new CssMatrix(1, Math.tan(angle(arguments)), 0, 1, 0, 0);
            case "translatez", "scalez", "perspective" -> IDENTITY;
            case "matrix" -> ofNumbers(arguments, font, 0, 1, 2, 3, 4, 5);
            case "matrix3d" -> ofNumbers(arguments, font, 0, 1, 4, 5, 12, 13);
            default -> UNREAD;
        };
    }

    private static CssMatrix ofNumbers(List<String> arguments, double font, int... places) {
        double[] six = new double[places.length];
        for (int i = 0; i < places.length; i++) {
            six[i] = number(arguments, places[i], font);
        }
        return new CssMatrix(six[0], six[1], six[2], six[3], six[4], six[5]);
    }

    private static CssMatrix moved(double right, double down) {
        return new CssMatrix(1, 0, 0, 1, right, down);
    }

    private static CssMatrix scaled(double across, double down) {
        return new CssMatrix(across, 0, 0, down, 0, 0);
    }

    /** A number or pixels. A share counts an element as wide and high as one letter, which it is at least. */
    private static double number(List<String> arguments, int at, double font) {
        if (at >= arguments.size()) {
            return Double.NaN;
        }
        CssLength length = CssLength.of(arguments.get(at));
        return length == null ? CssCalc.pixels(arguments.get(at), font, font) : length.pixels(font, font);
    }

    /** A number, or a percentage of one (CSS Transforms 2 §6). */
    private static double factor(List<String> arguments, int at) {
        CssLength length = at < arguments.size() ? CssLength.of(arguments.get(at)) : null;
        return length != null && length.unit().equals("%") ? length.number() / 100 : number(arguments, at, 1);
    }

    private static double angle(List<String> arguments) {
        CssLength angle = arguments.isEmpty() ? null : CssLength.of(arguments.getFirst());
        if (angle == null) {
            return Double.NaN;
        }
        return switch (angle.unit()) {
            case "deg" -> Math.toRadians(angle.number());
            case "turn" -> angle.number() * 2 * Math.PI;
            case "grad" -> angle.number() * Math.PI / 200;
            case "rad" -> angle.number();
            default -> angle.number() == 0 ? 0 : Double.NaN;
        };
    }

    /** This one after the other. */
    public CssMatrix times(CssMatrix of) {
        return new CssMatrix(
                a * of.a + c * of.b,
                b * of.a + d * of.b,
                a * of.c + c * of.d,
                b * of.c + d * of.d,
                a * of.e + c * of.f + e,
                b * of.e + d * of.f + f);
    }

    public boolean isRead() {
        return !Double.isNaN(a + b + c + d + e + f);
    }

    /** Whether nothing is left of an area. */
    public boolean isFlat() {
        return Math.abs(a * d - b * c) < FLAT;
    }

    /** The least factor by which it makes anything larger; below 1 it is smaller. */
    public double least() {
        double squares = a * a + b * b + c * c + d * d;
        double area = a * d - b * c;
        return Math.sqrt(Math.max(0, (squares - Math.sqrt(Math.max(0, squares * squares - 4 * area * area))) / 2));
    }
}
