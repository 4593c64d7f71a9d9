package dev.inboxd.mail.html;

/** The properties that decide whether a text is seen. */
enum CssProperty {
    DISPLAY,
    VISIBILITY,
    CONTENT_VISIBILITY,
    OPACITY,
    FILTER,
    FONT_SIZE,
    HEIGHT,
    WIDTH,
    MAX_HEIGHT,
    MAX_WIDTH,
    MIN_HEIGHT,
    MIN_WIDTH,
    PADDING_VERTICAL,
    PADDING_HORIZONTAL,
    OVERFLOW,
    POSITION,
    FLOAT,
    LEFT,
    TOP,
    RIGHT,
    BOTTOM,
    TEXT_INDENT,
    MARGIN_LEFT,
    MARGIN_TOP,
    TRANSFORM,
    SCALE,
    TRANSLATE,
    CLIP,
    CLIP_PATH,
    COLOR,
    FILL,
    GROUND,
    PICTURE,
    /** Anything that makes letters visible whatever their colour, such as their shadow. */
    EFFECT,
    /** Anything that changes others with time, or all at once. */
    CHANGE
}
