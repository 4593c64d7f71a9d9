package dev.inboxd.mail.html;

import static dev.inboxd.mail.css.CssProperty.*;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssLength;
import dev.inboxd.mail.css.CssProperty;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The size and the colours of letters, and what is behind them. */
final class Letters {
    private static final CssProperty[] OFFSETS = {LEFT, RIGHT, TOP, BOTTOM};
    private static final CssProperty[] MARGINS = {MARGIN_LEFT, MARGIN_TOP};
    private static final double CROWDED = -0.5;

    private double size = CssLength.MEDIUM;
    private boolean sizeInDoubt;

    /** By what transforms make letters smaller. */
    private double scale = 1;

    private double possibleScale = 1;
    private Ink color = Ink.NONE;
    private Ink fill = Ink.NONE;

    /** The colours of links, as the body declares them: before they are visited, and after. */
    private Ink link = Ink.NONE;

    private Ink visited = Ink.NONE;
    private boolean inLink;
    private Ground ground = Ground.NONE;
    private boolean own;
    private List<Paint> shadows = List.of();
    private List<Paint> strokes = List.of();
    private List<Paint> fillings = List.of();
    private boolean effect;
    private boolean blended;
    private boolean crowded;
    private boolean sizeUnread;
    private boolean flat;

    /** Whether there are rules that were not read. */
    private boolean unread;

    Letters() {}

    Letters(Letters around) {
        size = around.size;
        sizeInDoubt = around.sizeInDoubt;
        scale = around.scale;
        possibleScale = around.possibleScale;
        color = around.color;
        fill = around.fill;
        link = around.link;
        visited = around.visited;
        inLink = around.inLink;
        ground = around.ground;
        shadows = around.shadows;
        strokes = around.strokes;
        fillings = around.fillings;
        effect = around.effect;
        blended = around.blended;
        sizeUnread = around.sizeUnread;
        flat = around.flat;
        crowded = around.crowded;
        unread = around.unread;
    }

    double size() {
        return size;
    }

    boolean hasGround() {
        return own;
    }

    /** A link has a colour of its own, which the program or the body chooses. */
    void enter(boolean link, Cascade cascade) {
        if (link) {
            color = this.link;
            inLink = true;
        }
        // rules that were not read may say any colour
        unread |= !cascade.isWhole();
    }

    /** HTML, "the page": the colours of links that attributes of the body declare. */
    void links(@Nullable CssColor unvisited, @Nullable CssColor visited) {
        this.link = Ink.of(unvisited);
        this.visited = Ink.of(visited);
    }

    /** Applies the size, from which other lengths are counted. */
    void resize(Cascade cascade) {
        CssDeclaration declared = cascade.of(FONT_SIZE);
        if (declared != null) {
            double pixels = pixels(declared.value());
            sizeInDoubt = declared.doubtful() || Double.isNaN(pixels);
            sizeUnread = Double.isNaN(pixels);
            size = Double.isNaN(pixels) ? size : pixels;
        }
    }

    void apply(Cascade cascade, CssMove move, Letters around) {
        scale *= move.matrix().least();
        possibleScale *= move.possible().least();
        CssDeclaration letters = cascade.of(COLOR);
        if (letters != null) {
            color = Ink.of(letters, color, around.color, cascade.sure(COLOR));
            inLink &= letters.doubtful();
        }
        CssDeclaration filled = cascade.of(FILL);
        if (filled != null) {
            boolean current = filled.value().equals("currentcolor");
            fill = current ? Ink.NONE : Ink.of(filled, fill, around.fill, cascade.sure(FILL));
        }
        if (isMoved(cascade, move)) {
            ground = ground.moved();
        }
        CssDeclaration clip = cascade.of(GROUND_CLIP);
        if (clip != null && clip.value().contains("text")) {
            fillings = Paint.background(cascade.of(GROUND), cascade.of(PICTURE));
            effect |= clip.doubtful();
        } else {
            ground(cascade);
        }
        paint(cascade);
    }

    private void paint(Cascade cascade) {
        CssDeclaration shadow = cascade.of(SHADOW);
        if (shadow != null
                && !shadow.value().equals("inherit")
                && !shadow.value().equals("unset")) {
            boolean none = shadow.value().equals("none") || shadow.isWide();
            shadows = none ? List.of() : Paint.shadows(shadow, size);
        }
        if (cascade.of(STROKE) != null || cascade.of(STROKE_COLOR) != null) {
            strokes = Paint.strokes(cascade.of(STROKE), cascade.of(STROKE_COLOR), size);
        }
        CssDeclaration blend = cascade.of(BLEND);
        if (blend != null && !blend.value().equals("normal") && !blend.isWide()) {
            effect = true;
            // black letters become those of what is behind
            boolean darkens = blend.value().equals("multiply") || blend.value().equals("darken");
            blended |= !darkens && !blend.doubtful();
        }
        effect |= cascade.of(EFFECT) != null;
        CssDeclaration line = cascade.of(LINE_HEIGHT);
        if (line != null && !line.isWide()) {
            CssLength height = CssLength.of(line.value());
            flat = height != null && height.pixels(size, size) <= (height.unit().isEmpty() ? 1 / size : 1);
        }
        CssDeclaration spacing = cascade.of(LETTER_SPACING);
        if (spacing != null
                && !spacing.value().equals("inherit")
                && !spacing.value().equals("unset")) {
            crowded = CssLength.pixels(spacing.value(), size, size) <= CROWDED * Math.max(size, 1);
        }
    }

    /** Whether an element is not where it would be without its offsets, margins and transforms. */
    private static boolean isMoved(Cascade cascade, CssMove move) {
        CssDeclaration position = cascade.of(POSITION);
        String place = position == null ? "" : position.value();
        boolean moved = place.equals("absolute") || place.equals("fixed") || move.isAnywhere();
        boolean relative = place.equals("relative") || place.contains("var(");
        for (CssProperty offset : OFFSETS) {
            moved |= relative && isOther(cascade.of(offset));
        }
        for (CssProperty side : MARGINS) {
            CssDeclaration margin = cascade.of(side);
            moved |= margin != null
                    && isOther(margin)
                    && (margin.value().startsWith("-") || margin.value().contains("("));
        }
        return moved;
    }

    private static boolean isOther(@Nullable CssDeclaration length) {
        return length != null
                && !length.value().equals("auto")
                && !length.isWide()
                && CssLength.pixels(length.value(), CssLength.MEDIUM, CssLength.PAGE) != 0;
    }

    private double pixels(String value) {
        return switch (value) {
            case "inherit", "unset", "revert", "revert-layer" -> size;
            case "xx-small" -> 9;
            case "x-small" -> 10;
            case "smaller" -> size / 1.2;
            case "larger" -> size * 1.2;
            case "initial", "small", "medium", "large", "x-large", "xx-large", "xxx-large" -> CssLength.MEDIUM;
            default -> CssLength.pixels(value, size, size);
        };
    }

    private void ground(Cascade cascade) {
        CssDeclaration declared = cascade.of(GROUND);
        if (declared != null) {
            ground = ground.below(declared, color.color(), cascade.sure(GROUND));
            CssColor said = CssColor.of(declared.value());
            own |= said != null && said.alpha() >= 1;
        }
        CssDeclaration picture = cascade.of(PICTURE);
        if (picture != null && !picture.value().equals("none") && !picture.isWide()) {
            ground = ground.picture(picture);
            own = true;
        }
    }

    /** Whether its lines have no height. */
    boolean isFlat() {
        return flat;
    }

    private Ink ink() {
        return fill.color() != null || fill.isUnread() ? fill : color;
    }

    private Stream<Paint> paints() {
        return Stream.of(shadows, strokes, fillings).flatMap(List::stream);
    }

    @Nullable
    Concealment concealment(double small) {
        if (size * scale <= small && !sizeInDoubt) {
            return Concealment.TOO_SMALL;
        }
        Ink ink = ink();
        CssColor letters = ink.color();
        CssColor behind = ground.inDoubt() ? null : ground.color();
        if (letters == null || ink.inDoubt() || effect || unread) {
            return null;
        }
        boolean painted = !shadows.isEmpty() || !strokes.isEmpty() || !fillings.isEmpty();
        if (painted && !paints().allMatch(paint -> paint.isUnseenOn(behind, color.color()))) {
            return null;
        }
        return letters.alpha() == 0
                ? Concealment.SEE_THROUGH
                : behind != null && letters.isUnseenOn(behind) ? Concealment.SAME_COLOR : null;
    }

    /** The same of a page that is white with black letters where nothing is said. */
    @Nullable
    Concealment suspicion(double small) {
        if (size * possibleScale <= small || sizeUnread || crowded) {
            return Concealment.TOO_SMALL;
        }
        Ink ink = ink();
        CssColor behind = ground.isUnread() ? null : ground.color() == null ? CssColor.WHITE : ground.color();
        boolean alike = isAlike(ink.colorOr(CssColor.BLACK), behind)
                || (ink.inDoubt() && isAlike(ink.otherwise(), behind))
                || ((ground.inDoubt() || ground.isUnread()) && isAlike(ink.colorOr(CssColor.BLACK), ground.otherwise()))
                || (inLink && isAlike(visited.color(), behind))
                || ink.isUnread()
                || blended;
        boolean painted = behind != null && paints().anyMatch(paint -> paint.isSeenOn(behind));
        return alike && !painted ? Concealment.SAME_COLOR : null;
    }

    private static boolean isAlike(@Nullable CssColor letters, @Nullable CssColor behind) {
        return letters != null && (letters.alpha() == 0 || (behind != null && letters.isLike(behind)));
    }

    /** Black or white, whichever is seen, where the colour of the letters is not; null where it is. */
    @Nullable
    String legibleColor() {
        CssColor behind = ground.color() == null ? CssColor.WHITE : ground.color();
        CssColor letters = ink().color() == null ? CssColor.BLACK : ink().color();
        boolean dark =
                behind.isLike(CssColor.BLACK) || CssColor.WHITE.contrast(behind) > CssColor.BLACK.contrast(behind);
        return letters != null && letters.isLike(behind) ? (dark ? CssColor.WHITE : CssColor.BLACK).hex() : null;
    }
}
