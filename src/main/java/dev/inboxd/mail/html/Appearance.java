package dev.inboxd.mail.html;

import static dev.inboxd.mail.html.CssProperty.*;

import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * How the text of an element looks, as far as it decides whether a person sees it: what CSS computes of its
 * declarations and of those around it. In doubt the text is shown, and suspected.
 */
public final class Appearance {
    private static final double SMALL = 2;
    private static final double FAR = 900;
    private static final double MEDIUM = 16;

    /** The page: nothing is said of its colours. */
    static final Appearance PAGE = new Appearance();

    final Box box;
    final Letters letters;

    /** How the element is hidden with everything in it; what could take it back is not known to CSS. */
    private @Nullable Concealment gone;

    private @Nullable Concealment suspect;
    private boolean invisible;
    private boolean invisibleInDoubt;
    private double opacity = 1;
    private boolean changes;

    private Appearance() {
        box = new Box();
        letters = new Letters();
    }

    private Appearance(Appearance around) {
        box = new Box(around.box);
        letters = new Letters(around.letters);
        gone = around.gone;
        suspect = around.suspect;
        invisible = around.invisible;
        invisibleInDoubt = around.invisibleInDoubt;
        opacity = around.opacity;
        changes = around.changes;
    }

    /** The appearance of an element within this one; this one itself when nothing is declared for it. */
    Appearance of(Element element, Cascade cascade) {
        boolean declares = cascade.read(element);
        boolean link = element.nameIs("a") && element.hasAttr("href");
        boolean unshown = HtmlElements.isUnshown(element);
        boolean suspicious = element.nameIs("noscript") || "true".equalsIgnoreCase(element.attr("aria-hidden"));
        if (!declares && !link && !unshown && !suspicious) {
            return this;
        }
        Appearance inner = new Appearance(this);
        if (unshown) {
            inner.gone = gone == null ? Concealment.NOT_LAID_OUT : gone;
        }
        if (suspicious) {
            inner.suspect(Concealment.NOT_LAID_OUT);
        }
        inner.letters.enter(link, cascade);
        if (declares) {
            inner.changes |= cascade.of(CHANGE) != null;
            inner.layout(cascade);
            inner.transparency(cascade);
            inner.letters.apply(cascade);
            inner.place(element, cascade);
        }
        return inner;
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
        if (visibility != null
                && !visibility.value().equals("inherit")
                && !visibility.value().equals("unset")) {
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
        if (filter != null && filter.value().startsWith("opacity(0")) {
            boolean none = CssText.split(filter.value(), " ()").size() > 1
                    && isZero(CssText.split(filter.value(), " ()").get(1));
            hide(Concealment.SEE_THROUGH, none ? filter : filter.inDoubt());
        }
    }

    private static boolean isZero(String value) {
        CssLength length = CssLength.of(value);
        return length != null && length.number() == 0;
    }

    private void place(Element element, Cascade cascade) {
        box.apply(element, cascade, letters.size());
        if (box.isSuspicious()) {
            suspect(Concealment.ELSEWHERE);
        }
        Clip clip = Clip.of(cascade, box.isAbsolute());
        if (clip != Clip.NONE) {
            hide(Concealment.ELSEWHERE, clip == Clip.MAYBE);
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
        } else if (gone == null) {
            gone = how;
        }
    }

    private void suspect(Concealment how) {
        suspect = suspect == null ? how : suspect;
    }

    /** Whether nothing in it is shown, whatever it declares. */
    public boolean isGone() {
        return gone != null;
    }

    /** How its text is hidden; null when a person sees it, or may see it. */
    public @Nullable Concealment concealment() {
        if (gone != null) {
            return gone;
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
        return changes ? null : letters.concealment(SMALL);
    }

    /** How its text is hidden, or might be: what a person may not see. Null when a person sees it. */
    public @Nullable Concealment suspicion() {
        Concealment certain = concealment();
        if (certain != null || suspect != null) {
            return certain != null ? certain : suspect;
        }
        return invisible ? Concealment.NOT_LAID_OUT : box.isCut() ? Concealment.CUT_OFF : letters.suspicion(SMALL);
    }

    /** Whether a person sees its text, or may see it. */
    public boolean isShown() {
        return concealment() == null;
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

    static double medium() {
        return MEDIUM;
    }
}
