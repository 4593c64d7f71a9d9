package dev.inboxd.mail.css;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the text of an element is set.
 *
 * @param isBold whether its letters are bold, and not because it is a heading or the head of a table
 * @param isStruck whether a line goes through it
 * @param isFixed whether its letters have one width, by their font
 * @param display the display that is declared for the element; empty when none is
 * @param width the width that its style declares; empty when none is
 */
public record CssTextStyle(boolean isBold, boolean isStruck, boolean isFixed, String display, String width) {
    public static final CssTextStyle NONE = new CssTextStyle(false, false, false, "", "");

    /** The style of an element within this one for which nothing is declared. */
    public CssTextStyle inherited() {
        return isOwn() ? new CssTextStyle(isBold, isStruck, isFixed, "", "") : this;
    }

    /** Whether something is declared that the elements within do not have. */
    public boolean isOwn() {
        return !display.isEmpty() || !width.isEmpty();
    }

    /** The same with what is declared; headings and heads of tables are bold by themselves. */
    public CssTextStyle with(Function<CssProperty, @Nullable CssDeclaration> declared, boolean isHead) {
        CssDeclaration weight = declared.apply(CssProperty.FONT_WEIGHT);
        boolean bold = isBold;
        if (weight != null && !weight.doubtful()) {
            bold = !isHead && CssFont.isBold(weight.value(), isBold);
        }
        CssDeclaration line = declared.apply(CssProperty.DECORATION);
        boolean through = line != null && !line.doubtful() && line.value().contains("line-through");
        CssDeclaration family = declared.apply(CssProperty.FONT_FAMILY);
        boolean fixed = isFixed;
        if (family != null && !family.isWide()) {
            fixed = CssFont.isFixed(family.value());
        }
        CssDeclaration displayed = declared.apply(CssProperty.DISPLAY);
        CssDeclaration wide = declared.apply(CssProperty.WIDTH);
        String shown = displayed == null || displayed.doubtful() ? "" : displayed.value();
        String declaredWidth = wide == null ? "" : wide.value();
        CssTextStyle own = new CssTextStyle(bold, isStruck || through, fixed, shown, declaredWidth);
        return own.equals(this) ? this : own;
    }
}
