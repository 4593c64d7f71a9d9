package dev.inboxd.mail.screen;

/**
 * What hides text: the declarations of one element or rule, and what it inherits.
 *
 * @param gone whether the element with all that it holds is not shown
 * @param invisible whether its text is not shown, which an inner element can take back; null when not declared
 * @param tiny whether its letters are too small to see, which an inner element can take back; null when not declared
 * @param color of its text, as {@link CssColor}
 * @param background behind its text, as {@link CssColor}
 */
record Style(boolean gone, Tri invisible, Tri tiny, int color, int background) {
    /** Declared, taken back, or not declared. */
    enum Tri {
        YES,
        NO,
        UNSAID;

        static Tri of(boolean value) {
            return value ? YES : NO;
        }

        Tri or(Tri inherited) {
            return this == UNSAID ? inherited : this;
        }
    }

    /** Nothing declared. */
    static final Style NONE = new Style(false, Tri.UNSAID, Tri.UNSAID, CssColor.UNSAID, CssColor.UNSAID);

    /** A page that declares nothing: black on white. */
    static final Style PAGE = new Style(false, Tri.NO, Tri.NO, 0, 0xFFFFFF);

    /** This one, with that one where this one says nothing. */
    Style over(Style other) {
        return new Style(
                gone || other.gone,
                invisible.or(other.invisible),
                tiny.or(other.tiny),
                color == CssColor.UNSAID ? other.color : color,
                background == CssColor.UNSAID ? other.background : background);
    }

    /** Whether a person cannot see text in this style. */
    boolean hides() {
        return gone || invisible == Tri.YES || tiny == Tri.YES || CssColor.areAlike(color, background);
    }

    /** How a style that hides text does it. */
    HiddenText.Hiding hiding() {
        return gone || invisible == Tri.YES
                ? HiddenText.Hiding.UNSHOWN
                : tiny == Tri.YES ? HiddenText.Hiding.TINY : HiddenText.Hiding.COLORED;
    }

    Style withGone() {
        return new Style(true, invisible, tiny, color, background);
    }

    Style withColors(int text, int behind) {
        return new Style(false, Tri.UNSAID, Tri.UNSAID, text, behind).over(this);
    }
}
