package dev.inboxd.mail.html;

/**
 * A property with its value.
 *
 * @param value in small letters, without escapes
 * @param important whether it goes before those that are not
 * @param doubtful whether some programs do not read it
 */
record CssDeclaration(CssProperty property, String value, boolean important, boolean doubtful) {
    CssDeclaration inDoubt() {
        return doubtful ? this : new CssDeclaration(property, value, important, true);
    }

    boolean isWide() {
        return switch (value) {
            case "inherit", "initial", "unset", "revert", "revert-layer" -> true;
            default -> false;
        };
    }
}
