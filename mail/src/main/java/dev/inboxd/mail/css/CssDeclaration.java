package dev.inboxd.mail.css;

/**
 * A property with its value.
 *
 * @param value in small letters, without escapes
 * @param important whether it goes before those that are not
 * @param doubtful whether some programs do not read it
 */
public record CssDeclaration(CssProperty property, String value, boolean important, boolean doubtful) {
    private static final double FAR = 300;
    private static final int LONG = 160;

    public CssDeclaration inDoubt() {
        return doubtful ? this : new CssDeclaration(property, value, important, true);
    }

    /** Whether it hides, or may together with others. */
    public boolean isHiding() {
        double pixels = switch (property) {
            case FONT_SIZE, HEIGHT, WIDTH, MAX_HEIGHT, MAX_WIDTH, OPACITY, LEFT, TOP, MARGIN_LEFT, MARGIN_TOP ->
                CssLength.pixels(value, CssLength.MEDIUM, CssLength.PAGE);
            case TEXT_INDENT, LETTER_SPACING -> CssLength.pixels(value, CssLength.MEDIUM, CssLength.PAGE);
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
    public boolean isLong() {
        return value.length() > LONG;
    }

    public boolean isWide() {
        return switch (value) {
            case "inherit", "initial", "unset", "revert", "revert-layer" -> true;
            default -> false;
        };
    }
}
