package dev.inboxd.mail.html;

import static dev.inboxd.mail.html.CssProperty.*;

import org.jspecify.annotations.Nullable;

/** The size and the colours of letters, and what is behind them. */
final class Letters {
    private double size = Appearance.medium();
    private boolean sizeInDoubt;

    /** The colour as the mail declares it; null when it does not, or when it is not read. */
    private @Nullable CssColor color;

    private boolean colorUnread;
    private boolean colorInDoubt;

    /** The colour behind, when the mail declares it; null when it does not, or when it is a picture or not read. */
    private @Nullable CssColor ground;

    private boolean groundUnread;
    private boolean groundInDoubt;
    private boolean own;
    private boolean effect;

    /** Whether there are rules that were not read. */
    private boolean unread;

    Letters() {}

    Letters(Letters around) {
        size = around.size;
        sizeInDoubt = around.sizeInDoubt;
        color = around.color;
        colorUnread = around.colorUnread;
        colorInDoubt = around.colorInDoubt;
        ground = around.ground;
        groundUnread = around.groundUnread;
        groundInDoubt = around.groundInDoubt;
        effect = around.effect;
        unread = around.unread;
    }

    double size() {
        return size;
    }

    boolean hasGround() {
        return own;
    }

    /** A link has a colour of its own, which the program chooses. Rules that were not read may say any colour. */
    void enter(boolean link, Cascade cascade) {
        if (link) {
            color = null;
            colorUnread = false;
            colorInDoubt = false;
        }
        unread |= !cascade.isWhole();
    }

    void apply(Cascade cascade) {
        CssDeclaration declared = cascade.of(FONT_SIZE);
        if (declared != null) {
            double pixels = pixels(declared.value());
            sizeInDoubt = declared.doubtful() || Double.isNaN(pixels);
            size = Double.isNaN(pixels) ? size : pixels;
        }
        CssDeclaration letters = cascade.of(FILL) == null ? cascade.of(COLOR) : cascade.of(FILL);
        if (letters != null) {
            color(letters);
        }
        effect |= cascade.of(EFFECT) != null;
        // what is moved may lie before something else than the element around it
        groundInDoubt |= isMoved(cascade);
        ground(cascade.of(GROUND), cascade.of(PICTURE));
    }

    private static boolean isMoved(Cascade cascade) {
        CssDeclaration position = cascade.of(POSITION);
        boolean placed = position != null && !position.value().equals("static");
        boolean pulled = false;
        for (CssProperty margin : new CssProperty[] {MARGIN_LEFT, MARGIN_TOP}) {
            CssDeclaration declared = cascade.of(margin);
            pulled |= declared != null && declared.value().startsWith("-");
        }
        return placed || pulled || cascade.of(TRANSFORM) != null || cascade.of(TRANSLATE) != null;
    }

    private double pixels(String value) {
        return switch (value) {
            case "inherit", "unset" -> size;
            case "xx-small" -> 9;
            case "x-small" -> 10;
            case "smaller" -> size / 1.2;
            case "larger" -> size * 1.2;
            case "initial", "revert", "revert-layer", "small", "medium", "large", "x-large", "xx-large", "xxx-large" ->
                Appearance.medium();
            default -> {
                CssLength length = CssLength.of(value);
                yield length == null ? Double.NaN : length.pixels(size, size);
            }
        };
    }

    private void color(CssDeclaration declared) {
        if (declared.value().equals("inherit")
                || declared.value().equals("unset")
                || declared.value().equals("currentcolor")) {
            return;
        }
        color = CssColor.of(declared.value());
        colorUnread = color == null;
        colorInDoubt = declared.doubtful();
    }

    private void ground(@Nullable CssDeclaration declared, @Nullable CssDeclaration picture) {
        if (declared != null) {
            CssColor behind = declared.value().equals("currentcolor") ? color : CssColor.of(declared.value());
            boolean nothing = declared.isWide() || CssColor.TRANSPARENT.equals(behind);
            if (behind != null && behind.alpha() >= 1) {
                ground = behind;
                groundUnread = false;
                groundInDoubt = declared.doubtful();
                own = true;
            } else if (behind != null && behind.alpha() > 0) {
                ground = ground == null ? null : behind.over(ground);
                groundInDoubt |= declared.doubtful();
            } else if (!nothing) {
                ground = null;
                groundUnread = true;
            } else {
                groundInDoubt |= declared.doubtful();
            }
        }
        if (picture != null && !picture.value().equals("none") && !picture.isWide()) {
            ground = null;
            groundUnread = true;
            own = true;
        }
    }

    @Nullable
    Concealment concealment(double small) {
        if (size <= small && !sizeInDoubt) {
            return Concealment.TOO_SMALL;
        }
        if (color == null || colorInDoubt || effect || unread) {
            return null;
        }
        if (color.alpha() == 0) {
            return Concealment.SEE_THROUGH;
        }
        return ground != null && !groundInDoubt && color.isUnseenOn(ground) ? Concealment.SAME_COLOR : null;
    }

    /** The same of a page that is white with black letters where nothing is said. */
    @Nullable
    Concealment suspicion(double small) {
        if (size <= small) {
            return Concealment.TOO_SMALL;
        }
        CssColor letters = colorUnread ? null : color == null ? CssColor.BLACK : color;
        CssColor behind = groundUnread ? null : ground == null ? CssColor.WHITE : ground;
        boolean alike = letters != null && (letters.alpha() == 0 || (behind != null && letters.isLike(behind)));
        return alike ? Concealment.SAME_COLOR : null;
    }

    /** Black or white, whichever is seen, where the colour of the letters is not; null where it is. */
    @Nullable
    String legibleColor() {
        CssColor behind = ground == null ? CssColor.WHITE : ground;
        CssColor letters = color == null ? CssColor.BLACK : color;
        boolean dark =
                behind.isLike(CssColor.BLACK) || CssColor.WHITE.contrast(behind) > CssColor.BLACK.contrast(behind);
        return letters.isLike(behind) ? (dark ? CssColor.WHITE : CssColor.BLACK).hex() : null;
    }
}
