package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssLength;
import dev.inboxd.mail.css.CssMatrix;
import dev.inboxd.mail.css.CssProperty;
import dev.inboxd.mail.css.CssText;
import java.util.List;

/**
 * What transforms do to an element (CSS Transforms 1 and 2): {@code transform}, {@code translate}, {@code rotate},
 * {@code scale} and {@code zoom}.
 *
 * @param matrix what they do surely
 * @param possible what they do when the declarations in doubt hold too
 * @param isSuspicious whether it is moved, or might be, by more than is usual
 */
record CssMove(CssMatrix matrix, CssMatrix possible, boolean isSuspicious) {
    private static final double FAR = 300;
    private static final double FAR_BEHIND = 2 * CssLength.PAGE;
    private static final CssMove NONE = new CssMove(CssMatrix.IDENTITY, CssMatrix.IDENTITY, false);
    private static final CssProperty[] MOVES = {
        CssProperty.TRANSLATE, CssProperty.ROTATE, CssProperty.SCALE, CssProperty.ZOOM, CssProperty.TRANSFORM
    };

    static CssMove of(Cascade cascade, double font) {
        CssMatrix sure = CssMatrix.IDENTITY;
        CssMatrix possible = CssMatrix.IDENTITY;
        boolean suspicious = false;
        boolean any = false;
        for (CssProperty property : MOVES) {
            CssDeclaration declared = cascade.of(property);
            if (declared == null || declared.value().equals("none") || declared.isWide()) {
                continue;
            }
            any = true;
            CssMatrix read = declared.isLong() ? CssMatrix.UNREAD : read(property, declared.value(), font);
            suspicious |= !read.isRead() || isAway(declared.value());
            if (read.isRead()) {
                possible = possible.times(read);
                sure = declared.doubtful() ? sure : sure.times(read);
            }
        }
        boolean far =
                possible.e() <= -FAR || possible.f() <= -FAR || possible.e() > FAR_BEHIND || possible.f() > FAR_BEHIND;
        return any ? new CssMove(sure, possible, suspicious || far || possible.isFlat()) : NONE;
    }

    private static CssMatrix read(CssProperty property, String value, double font) {
        List<String> words = CssText.words(value);
        return switch (property) {
            case TRANSFORM -> CssMatrix.of(value, font);
            case TRANSLATE -> CssMatrix.of("translate", words, font);
            case ROTATE -> turned(words, font);
            case ZOOM -> {
                CssLength zoom = CssLength.of(value);
                boolean sized = zoom != null && zoom.number() > 0;
                yield sized ? CssMatrix.of("scale", List.of(share(value)), font) : CssMatrix.IDENTITY;
            }
            default -> CssMatrix.of("scale", words.stream().map(CssMove::share).toList(), font);
        };
    }

    private static CssMatrix turned(List<String> words, double font) {
        List<String> angle = words.subList(Math.max(0, words.size() - 1), words.size());
        String axis = words.size() == 2 ? words.getFirst() : words.size() == 1 ? "" : "?";
        return CssMatrix.of("rotate" + axis, angle, font);
    }

    /** A share of itself as a number. */
    private static String share(String word) {
        CssLength length = CssLength.of(word);
        return length != null && length.unit().equals("%") ? Double.toString(length.number() / 100) : word;
    }

    /** Whether an element is moved by more than it is wide or high itself, back or up. */
    private static boolean isAway(String value) {
        for (String word : CssText.split(value.replace('(', ' ').replace(')', ' '), " ,\t\n")) {
            CssLength length = CssLength.of(word);
            if (length != null && length.unit().equals("%") && length.number() <= -100) {
                return true;
            }
        }
        return false;
    }

    /** Whether it lies where it would without, or may not. */
    boolean isAnywhere() {
        return !possible.equals(CssMatrix.IDENTITY) || isSuspicious;
    }
}
