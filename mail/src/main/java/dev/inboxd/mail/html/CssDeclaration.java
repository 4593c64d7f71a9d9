package dev.inboxd.mail.html;

/**
 * A property with its value.
 *
 * @param value in small letters, without escapes
 * @param important whether it goes before those that are not
 * @param doubtful whether some programs do not read it
 */
record CssDeclaration(CssProperty property, String value, boolean important, boolean doubtful) {
    private static final double FAR = 300;
    private static final int LONG = 160;

    CssDeclaration inDoubt() {
        return doubtful ? this : new CssDeclaration(property, value, important, true);
    }

    /** Whether it hides, or may together with others. */
    boolean isHiding() {
        double pixels = switch (property) {
            case FONT_SIZE, HEIGHT, WIDTH, MAX_HEIGHT, MAX_WIDTH, OPACITY, LEFT, TOP, MARGIN_LEFT, MARGIN_TOP ->
                CssLength.pixels(value, Appearance.medium(), CssLength.PAGE);
            case TEXT_INDENT, LETTER_SPACING -> CssLength.pixels(value, Appearance.medium(), CssLength.PAGE);
            default -> Double.NaN;
        };
        return switch (property) {
            case FONT_SIZE -> pixels <= 2;
            case HEIGHT, WIDTH, MAX_HEIGHT, MAX_WIDTH -> pixels <= 1;
            case OPACITY -> pixels < 0.1;
            case LEFT, TOP, MARGIN_LEFT, MARGIN_TOP, TEXT_INDENT -> pixels <= -FAR;
            case LETTER_SPACING -> pixels < 0;
            case DISPLAY, VISIBILITY, CONTENT_VISIBILITY, OVERFLOW -> isWord();
            case TRANSFORM, TRANSLATE, SCALE, ROTATE, CLIP, CLIP_PATH, MASK, FILTER ->
                !value.equals("none") && !isWide();
            default -> false;
        };
    }

    private boolean isWord() {
        return switch (value) {
            case "none", "hidden", "collapse", "clip" -> true;
            default -> false;
        };
    }

    /** Whether the value is longer than it is in mail, so that it is not read for each element. */
    boolean isLong() {
        return value.length() > LONG;
    }

    boolean isWide() {
        return switch (value) {
            case "inherit", "initial", "unset", "revert", "revert-layer" -> true;
            default -> false;
        };
    }
}
