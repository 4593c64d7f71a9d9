package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is behind letters.
 *
 * @param color null when the mail does not declare it, and when it is a picture or not read
 * @param isUnread whether it is a picture, or not read
 * @param inDoubt whether it may not hold
 * @param otherwise the colour behind when it does not hold; null when that is not known
 */
record Ground(
        @Nullable CssColor color,
        boolean isUnread,
        boolean inDoubt,
        @Nullable CssColor otherwise) {
    /** The page, of which nothing is said. */
    static final Ground NONE = new Ground(null, false, false, null);

    /** What may lie before something else than the element around it. */
    Ground moved() {
        return inDoubt ? this : new Ground(color, isUnread, true, otherwise);
    }

    /** The same below a colour. */
    Ground below(CssDeclaration declared, @Nullable CssColor current, @Nullable CssDeclaration sure) {
        CssColor said = declared.value().equals("currentcolor") ? current : CssColor.of(declared.value());
        boolean doubtful = declared.doubtful();
        if (said != null && said.alpha() >= 1) {
            CssColor before = sure == null || sure.doubtful() ? null : CssColor.of(sure.value());
            CssColor alternative = before != null && before.alpha() >= 1 ? before : color == null ? otherwise : color;
            return new Ground(said, false, doubtful, doubtful ? alternative : null);
        }
        if (said != null && said.alpha() > 0) {
            CssColor mixed = color == null ? null : said.over(color);
            return new Ground(mixed, isUnread, inDoubt || doubtful, doubtful ? color : otherwise);
        }
        if (said == null && !declared.isWide()) {
            return new Ground(null, true, inDoubt, color == null ? CssColor.WHITE : color);
        }
        return new Ground(color, isUnread, inDoubt || doubtful, otherwise);
    }

    /** The same below a picture: what is behind when it shows nothing, or has one colour, is known. */
    Ground picture(CssDeclaration declared) {
        CssColor behind = color == null ? CssColor.WHITE : color;
        List<Paint> paints = Paint.background(null, declared);
        if (paints.stream().noneMatch(Paint::isUnread) && !paints.isEmpty()) {
            CssColor first = paints.getFirst().color();
            boolean uniform = paints.stream().allMatch(paint -> first != null && paint.isLike(first));
            return new Ground(null, true, inDoubt, first != null && uniform ? first.over(behind) : null);
        }
        return new Ground(null, true, inDoubt, behind);
    }
}
