package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import org.jspecify.annotations.Nullable;

/**
 * A colour as the mail declares it.
 *
 * @param color null when the mail does not declare it, or when it is not read
 * @param isUnread whether the mail declares it, in a way that is not read
 * @param inDoubt whether it may not hold
 * @param otherwise what holds when it does not; null when that is not known
 */
record Ink(
        @Nullable CssColor color,
        boolean isUnread,
        boolean inDoubt,
        @Nullable CssColor otherwise) {
    /** Nothing is declared. */
    static final Ink NONE = new Ink(null, false, false, null);

    static Ink of(@Nullable CssColor color) {
        return color == null ? NONE : new Ink(color, false, false, null);
    }

    /**
     * The ink of an element.
     *
     * @param own what it has when nothing is declared for it
     * @param around what the element around it has
     * @param sure what is declared for it without doubt
     */
    static Ink of(CssDeclaration declared, Ink own, Ink around, @Nullable CssDeclaration sure) {
        Ink said = switch (declared.value()) {
            case "inherit", "unset", "currentcolor" -> around;
            case "initial" -> NONE;
            // takes back what sheets say, and some programs do not know it
            case "revert", "revert-layer" -> own.equals(around) ? own : around.orNot();
            default -> read(declared.value());
        };
        if (!declared.doubtful()) {
            return said;
        }
        Ink before = sure == null || sure.doubtful() ? own : of(sure, own, around, null);
        return new Ink(said.color, said.isUnread, true, before.color);
    }

    private static Ink read(String value) {
        CssColor color = CssColor.of(value);
        return new Ink(color, color == null, false, null);
    }

    private Ink orNot() {
        return new Ink(color, isUnread, true, otherwise);
    }

    /** The colour, or the one that it has where the mail declares none; null when that is not known. */
    @Nullable
    CssColor colorOr(CssColor undeclared) {
        return isUnread ? null : color == null ? undeclared : color;
    }
}
