package dev.inboxd.mail.html;

/** How a text is hidden from who looks at a mail. */
public enum Concealment {
    /** {@code display: none}, {@code visibility: hidden}, {@code hidden}, and elements that are never shown. */
    NOT_LAID_OUT,
    /** Letters of at most 2 px. */
    TOO_SMALL,
    /** A box of at most 1 px that cuts what does not fit. */
    CUT_OFF,
    /** Opacity or the letters' alpha is 0. */
    SEE_THROUGH,
    /** Letters of the colour of what is behind them. */
    SAME_COLOR,
    /** Left of or above the page, clipped to nothing, or scaled to nothing. */
    ELSEWHERE
}
