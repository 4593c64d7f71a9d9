package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssLength;
import dev.inboxd.mail.css.CssText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What makes letters visible beside their own colour: a shadow, an outline, a background on the letters alone.
 *
 * @param color null for that of the letters, or when it is not read
 * @param isUnread whether its colour is not read
 * @param isPlain whether the letters can be read in it: it is not blurred, nor moved far away
 */
record Paint(@Nullable CssColor color, boolean isUnread, boolean isPlain) {
    private static final int MOST = 16;
    private static final double NEAR = 30;
    private static final Paint UNREAD = new Paint(null, true, false);

    /** The shadows of a value of {@code text-shadow} (CSS Text Decoration 3 §4). */
    static List<Paint> shadows(CssDeclaration declared, double font) {
        if (declared.isLong()) {
            return List.of(UNREAD);
        }
        List<Paint> shadows = new ArrayList<>();
        for (String shadow : CssText.split(declared.value(), ",")) {
            CssColor color = null;
            boolean unread = declared.doubtful();
            List<Double> lengths = new ArrayList<>();
            for (String word : CssText.words(shadow)) {
                double pixels = CssLength.pixels(word, font, Double.NaN);
                CssColor read = CssColor.of(word);
                if (read != null) {
                    color = read;
                } else if (!Double.isNaN(pixels)) {
                    lengths.add(pixels);
                } else {
                    unread |= !word.equals("currentcolor");
                }
            }
            boolean near = lengths.size() > 1 && lengths.subList(0, 2).stream().allMatch(by -> Math.abs(by) <= NEAR);
            boolean sharp = lengths.size() < 3 || lengths.get(2) <= font / 2;
            if (lengths.size() > 1 || unread) {
                shadows.add(new Paint(color, unread, near && sharp));
            }
        }
        return bounded(shadows);
    }

    /** The outline of letters, which has no width unless one is declared. */
    static List<Paint> strokes(@Nullable CssDeclaration declared, @Nullable CssDeclaration own, double font) {
        double width = 0;
        CssColor color = own == null ? null : CssColor.of(own.value());
        boolean unread =
                own != null && (own.doubtful() || (color == null && !own.value().equals("currentcolor")));
        for (String word :
                declared == null || declared.isLong() ? List.<String>of() : CssText.words(declared.value())) {
            double pixels = CssLength.pixels(word, font, Double.NaN);
            CssColor read = CssColor.of(word);
            width = Double.isNaN(pixels) ? width : pixels;
            width = word.equals("thin") || word.equals("medium") || word.equals("thick") ? 1 : width;
            color = own == null && read != null ? read : color;
            unread |= word.contains("var(");
        }
        boolean doubtful = declared != null && (declared.doubtful() || declared.isLong());
        return width > 0 || unread || doubtful
                ? List.of(new Paint(color, unread || doubtful, width >= 0.5))
                : List.of();
    }

    /** A background that is painted on the letters alone. */
    static List<Paint> background(@Nullable CssDeclaration ground, @Nullable CssDeclaration picture) {
        List<Paint> paints = new ArrayList<>();
        if (ground != null && !ground.isWide() && !ground.value().equals("none")) {
            CssColor color = CssColor.of(ground.value());
            paints.add(new Paint(color, color == null || ground.doubtful(), true));
        }
        if (picture == null || picture.value().equals("none") || picture.isWide()) {
            return paints;
        }
        String value = picture.value().toLowerCase(Locale.ROOT);
        int open = value.indexOf("gradient(");
        if (open < 0 || picture.doubtful() || picture.isLong()) {
            paints.add(UNREAD);
            return paints;
        }
        String inside = value.substring(open + 9, Math.max(open + 9, value.lastIndexOf(')')));
        for (String word : CssText.split(inside, ", \t\n")) {
            CssColor color = CssColor.of(word);
            if (color != null) {
                paints.add(new Paint(color, false, true));
            } else if (word.indexOf('(') > 0 && Double.isNaN(CssLength.pixels(word, NEAR, NEAR))) {
                paints.add(UNREAD);
            }
        }
        return bounded(paints);
    }

    private static List<Paint> bounded(List<Paint> paints) {
        return paints.size() > MOST ? List.of(UNREAD) : paints;
    }

    /** Whether nobody can see it. */
    boolean isUnseenOn(@Nullable CssColor ground, @Nullable CssColor letters) {
        CssColor own = color == null ? letters : color;
        return !isUnread && own != null && (own.alpha() == 0 || (ground != null && own.isUnseenOn(ground)));
    }

    boolean isLike(CssColor reference) {
        return color != null && color.isLike(reference);
    }

    /** Whether the letters are surely seen by it. */
    boolean isSeenOn(CssColor ground) {
        return color != null && !isUnread && isPlain && !color.over(ground).isLike(ground) && !color.isLike(ground);
    }
}
