package dev.inboxd.mail.html;

import static dev.inboxd.mail.css.CssProperty.*;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssFilter;
import dev.inboxd.mail.css.CssLength;
import dev.inboxd.mail.css.CssTextStyle;
import java.util.List;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * How the text of an element looks, as far as it decides whether a person sees it: what CSS computes of its
 * declarations and of those around it. In doubt the text is shown, and suspected.
 */
public final class Appearance {
    private static final double SMALL = 2;
    private static final double FAR = 900;

    /** The page: nothing is said of its colours. */
    static final Appearance PAGE = new Appearance();

    final Box box;
    final Letters letters;

    /** How the element is hidden with everything in it; what could take it back is not known to CSS. */
    private @Nullable Concealment subtreeConcealment;

    private @Nullable Concealment suspect;
    private boolean invisible;
    private boolean invisibleInDoubt;
    private double opacity = 1;
    private boolean changes;
    private boolean recolors;
    private WhiteSpace whiteSpace = WhiteSpace.COLLAPSED;
    /** Whether it is a picture of a few points. */
    private boolean tinyPicture;

    private CssTextStyle style = CssTextStyle.NONE;

    private Appearance() {
        box = new Box();
        letters = new Letters();
    }

    private Appearance(Appearance around, Box box, Letters letters) {
        this.box = box;
        this.letters = letters;
        subtreeConcealment = around.subtreeConcealment;
        suspect = around.suspect;
        invisible = around.invisible;
        invisibleInDoubt = around.invisibleInDoubt;
        opacity = around.opacity;
        changes = around.changes;
        recolors = around.recolors;
        whiteSpace = around.whiteSpace;
        style = around.style.inherited();
    }

    /** The appearance of an element within this one; this one itself when nothing is declared for it. */
    Appearance of(Element element, Cascade cascade) {
        boolean declares = cascade.read(element, style);
        boolean link = element.nameIs("a") && element.hasAttr("href");
        boolean unshown = HtmlElements.isUnshown(element);
        boolean suspicious = HtmlElements.isSuspicious(element);
        boolean body = element.nameIs("body");
        boolean plain = !link && !unshown && !suspicious && !body && !holdsOwn();
        if (plain && (!declares || cascade.isOfStyle())) {
            return declares ? set(element, cascade) : this;
        }
        Appearance inner = new Appearance(this, new Box(box), new Letters(letters));
        if (unshown) {
            inner.subtreeConcealment = subtreeConcealment == null ? Concealment.NOT_LAID_OUT : subtreeConcealment;
        }
        if (suspicious) {
            inner.suspect(Concealment.NOT_LAID_OUT);
        }
        if (body) {
            inner.letters.links(
                    CssColor.ofAttribute(element.attr("link")), CssColor.ofAttribute(element.attr("vlink")));
        }
        inner.letters.enter(link, cascade);
        if (declares) {
            CssDeclaration animation = cascade.of(ANIMATION);
            CssAnimation animated = animation == null ? CssAnimation.NONE : CssAnimation.of(animation, cascade);
            boolean all = cascade.of(CHANGE) != null;
            inner.changes |= all || animated.isChanging();
            inner.recolors |= all || animated.isRecoloring();
            if (animated.hides(frame -> isHiddenIn(frame, element, link, cascade))) {
                inner.suspect(Concealment.SEE_THROUGH);
            }
            inner.apply(element, cascade, letters);
        }
        return inner;
    }

    /** This one with its text set in another way; its box and its letters are the same. */
    private Appearance set(Element element, Cascade cascade) {
        CssTextStyle own = style.with(cascade::of, HtmlElements.isHead(element));
        if (own.equals(style)) {
            return this;
        }
        Appearance inner = new Appearance(this, box, letters);
        inner.style = own;
        return inner;
    }

    /** Whether something is declared for it that the elements in it do not have. */
    private boolean holdsOwn() {
        return box.holdsBoxes() || box.within || style.isOwn() || tinyPicture;
    }

    private void apply(Element element, Cascade cascade, Letters around) {
        CssDeclaration spaces = cascade.of(WHITE_SPACE);
        if (spaces != null && !spaces.doubtful()) {
            whiteSpace = WhiteSpace.of(spaces.value(), whiteSpace);
        }
        layout(cascade);
        letters.resize(cascade);
        CssMove move = CssMove.of(cascade, letters.size());
        letters.apply(cascade, move, around);
        style = style.with(cascade::of, HtmlElements.isHead(element));
        transparency(cascade);
        place(element, cascade, move);
    }

    /** Whether an element within this one is not seen in a frame of an animation; without looks left it may not. */
    private boolean isHiddenIn(List<CssDeclaration> frame, Element element, boolean link, Cascade cascade) {
        Appearance inner = new Appearance(this, new Box(box), new Letters(letters));
        inner.letters.enter(link, cascade);
        boolean looked = cascade.during(frame, () -> inner.apply(element, cascade, letters));
        return !looked || inner.suspicion() != null;
    }

    private void layout(Cascade cascade) {
        CssDeclaration display = cascade.of(DISPLAY);
        if (display != null
                && (display.value().equals("none") || display.value().contains("var("))) {
            hide(Concealment.NOT_LAID_OUT, display);
        }
        CssDeclaration content = cascade.of(CONTENT_VISIBILITY);
        if (content != null && content.value().equals("hidden")) {
            hide(Concealment.NOT_LAID_OUT, content);
        }
        CssDeclaration visibility = cascade.of(VISIBILITY);
        if (visibility != null && (!visibility.isWide() || visibility.value().equals("initial"))) {
            invisible = visibility.value().equals("hidden")
                    || visibility.value().equals("collapse")
                    || visibility.value().contains("var(");
            invisibleInDoubt = visibility.doubtful() || changes;
        }
    }

    private void transparency(Cascade cascade) {
        CssDeclaration declared = cascade.of(OPACITY);
        if (declared != null) {
            CssLength number = CssLength.of(declared.value());
            double own = number == null ? 1 : number.number() / (number.unit().equals("%") ? 100 : 1);
            double all = opacity * Math.clamp(own, 0, 1);
            if (Math.round(all * 100) == 0) {
                hide(Concealment.SEE_THROUGH, declared);
            } else if (all < 0.1 || declared.value().contains("var(")) {
                suspect(Concealment.SEE_THROUGH);
            }
            opacity = declared.doubtful() ? opacity : all;
        }
        CssDeclaration filter = cascade.of(FILTER);
        if (filter != null) {
            CssFilter read = filter.isLong() ? CssFilter.UNREAD : CssFilter.of(filter.value());
            if (Math.round(opacity * read.opacity() * 100) == 0) {
                hide(Concealment.SEE_THROUGH, filter);
            } else if (read.isErasing() || opacity * read.opacity() < 0.1) {
                suspect(Concealment.SEE_THROUGH);
            }
            opacity *= filter.doubtful() ? 1 : read.opacity();
        }
    }

    private void place(Element element, Cascade cascade, CssMove move) {
        box.apply(element, cascade, letters.size(), move);
        tinyPicture = Box.isTinyPicture(element, cascade, letters.size());
        if (box.isSuspicious()) {
            suspect(Concealment.ELSEWHERE);
        }
        Clip clip = Clip.of(cascade, box.isAbsolute());
        if (clip != Clip.NONE) {
            hide(Concealment.ELSEWHERE, clip == Clip.MAYBE);
        }
        if (move.matrix().isFlat()) {
            hide(Concealment.ELSEWHERE, false);
        }
        if (box.isTiny()) {
            suspect(Concealment.CUT_OFF);
        }
    }

    private void hide(Concealment how, CssDeclaration by) {
        hide(how, by.doubtful());
    }

    private void hide(Concealment how, boolean inDoubt) {
        if (inDoubt || (changes && how != Concealment.NOT_LAID_OUT)) {
            suspect(how);
        } else if (subtreeConcealment == null) {
            subtreeConcealment = how;
        }
    }

    private void suspect(Concealment how) {
        suspect = suspect == null ? how : suspect;
    }

    /** Whether nothing in it is shown, whatever it declares. */
    public boolean isGone() {
        return subtreeConcealment != null;
    }

    /** How its text is hidden; null when a person sees it, or may see it. */
    public @Nullable Concealment concealment() {
        if (subtreeConcealment != null) {
            return subtreeConcealment;
        }
        if (invisible && !invisibleInDoubt) {
            return Concealment.NOT_LAID_OUT;
        }
        if (box.isCut() && !changes) {
            return Concealment.CUT_OFF;
        }
        if (box.isOutside(FAR) && !changes) {
            return Concealment.ELSEWHERE;
        }
        Concealment how = letters.concealment(SMALL);
        return recolors || (changes && how == Concealment.TOO_SMALL) ? null : how;
    }

    /** How its text is hidden, or might be: what a person may not see. Null when a person sees it. */
    public @Nullable Concealment suspicion() {
        Concealment certain = concealment();
        if (certain != null || suspect != null) {
            return certain != null ? certain : suspect;
        }
        boolean cut = box.isCut() || (box.clipsLines() && letters.isFlat());
        return invisible ? Concealment.NOT_LAID_OUT : cut ? Concealment.CUT_OFF : letters.suspicion(SMALL);
    }

    /** Whether a person sees its text, or may see it. */
    public boolean isShown() {
        return concealment() == null;
    }

    /** What becomes of the line breaks and blanks of its text. */
    public WhiteSpace whiteSpace() {
        return whiteSpace;
    }

    /** How its text is set. */
    public CssTextStyle style() {
        return style;
    }

    /** Whether it is a box by the element around it, whatever it is itself (CSS Flexbox 1 §4). */
    public boolean isWithinBoxes() {
        return box.within;
    }

    /** Whether a picture is shown, or may be; the size and colour of letters say nothing of it. */
    public boolean isPictureShown() {
        boolean hidden = (invisible && !invisibleInDoubt) || (!changes && (box.isCut() || box.isOutside(FAR)));
        return subtreeConcealment == null && !tinyPicture && !hidden;
    }

    /** Whether something is seen where it has no text: a picture behind it, or a colour of its own. */
    public boolean hasGround() {
        return letters.hasGround();
    }

    /**
     * A colour for its letters, where theirs cannot be told from the one behind on a page that is white with black
     * letters; null when it can.
     */
    public @Nullable String legibleColor() {
        return letters.legibleColor();
    }
}
