package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssLength;
import dev.inboxd.mail.css.CssProperty;
import dev.inboxd.mail.css.CssText;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether clipping leaves anything of an element. */
enum Clip {
    /** It is seen. */
    NONE,
    /** It might not be. */
    MAYBE,
    /** Nothing is left. */
    ALL;

    private static final double THIN = 1;
    private static final double WIDE = 200;

    static Clip of(Cascade cascade, boolean absolute) {
        Clip clip = NONE;
        CssDeclaration rectangle = cascade.of(CssProperty.CLIP);
        if (rectangle != null && isEmpty(rectangle.value())) {
            // CSS 2.2 §11.1.2: it applies to what is placed absolutely
            clip = clip.or(absolute ? ALL : MAYBE, rectangle);
        }
        CssDeclaration path = cascade.of(CssProperty.CLIP_PATH);
        if (path != null && isPathEmpty(path.value())) {
            clip = clip.or(ALL, path);
        } else if (path != null && isPathUnread(path.value())) {
            clip = clip.or(MAYBE, path);
        }
        CssDeclaration mask = cascade.of(CssProperty.MASK);
        if (mask != null && !mask.value().equals("none") && !mask.isWide()) {
            clip = clip.or(MAYBE, mask);
        }
        return clip;
    }

    private Clip or(Clip candidate, CssDeclaration by) {
        Clip sure = by.doubtful() && candidate == ALL ? MAYBE : candidate;
        return compareTo(sure) >= 0 ? this : sure;
    }

    private static boolean isEmpty(String value) {
        List<String> sides = arguments(value, "rect(");
        if (sides.size() != 4) {
            return false;
        }
        double[] at = new double[4];
        for (int i = 0; i < 4; i++) {
            CssLength length = CssLength.of(sides.get(i));
            if (length == null) {
                return false;
            }
            at[i] = length.pixels(CssLength.MEDIUM, Double.NaN);
        }
        return at[2] - at[0] <= THIN || at[1] - at[3] <= THIN;
    }

    private static boolean isPathEmpty(String value) {
        if (value.startsWith("inset(")) {
            List<String> sides = arguments(value, "inset(");
            int round = sides.indexOf("round");
            List<String> four = round < 0 ? sides : sides.subList(0, round);
            return !four.isEmpty() && (coversBoth(four, 0, 2) || coversBoth(four, 1, 3));
        }
        if (value.startsWith("circle(") || value.startsWith("ellipse(")) {
            List<String> sizes = arguments(value, value.startsWith("c") ? "circle(" : "ellipse(");
            return !sizes.isEmpty() && isZero(sizes.getFirst());
        }
        if (value.startsWith("polygon(")) {
            List<String> numbers = arguments(value, "polygon(");
            return !numbers.isEmpty() && Set.copyOf(numbers).size() == 1 && isZero(numbers.getFirst());
        }
        return false;
    }

    /** Whether it may leave nothing: lengths of the whole element, drawings, and shapes that stand elsewhere. */
    private static boolean isPathUnread(String value) {
        if (value.startsWith("inset(")) {
            return CssText.split(value.substring(6), " ,)").stream().anyMatch(Clip::isWide);
        }
        return value.startsWith("rect(")
                || value.startsWith("xywh(")
                || value.startsWith("path(")
                || value.startsWith("shape(")
                || value.startsWith("url(")
                || value.contains("var(");
    }

    private static boolean isWide(String value) {
        CssLength length = CssLength.of(value);
        return length == null ? value.indexOf('(') >= 0 : length.pixels(CssLength.MEDIUM, 0) >= WIDE;
    }

    /** Whether what is taken from two opposite sides is the whole. */
    private static boolean coversBoth(List<String> sides, int first, int second) {
        return share(side(sides, first)) + share(side(sides, second)) >= 100;
    }

    private static String side(List<String> sides, int at) {
        int size = sides.size();
        return size > at ? sides.get(at) : at == 3 && size > 1 ? sides.get(1) : sides.getFirst();
    }

    private static double share(String value) {
        CssLength length = CssLength.of(value);
        return length != null && length.unit().equals("%") ? length.number() : 0;
    }

    private static boolean isZero(@Nullable String value) {
        CssLength length = value == null ? null : CssLength.of(value);
        return length != null && length.number() == 0;
    }

    private static List<String> arguments(String value, String function) {
        int end = value.indexOf(')');
        return value.startsWith(function) && end > 0
                ? CssText.split(value.substring(function.length(), end), ", \t\n")
                : List.of();
    }
}
