package dev.inboxd.mail.html;

import java.util.List;

/**
 * What transforms move an element by (CSS Transforms 1).
 *
 * @param isSuspicious whether it is moved, or might be, by more than is usual
 */
record CssMove(double x, double y, boolean isSuspicious) {
    private static final CssMove NONE = new CssMove(0, 0, false);
    private static final double FAR = 300;

    static CssMove of(Cascade cascade, double font) {
        CssDeclaration transform = cascade.of(CssProperty.TRANSFORM);
        CssDeclaration translate = cascade.of(CssProperty.TRANSLATE);
        CssMove move = NONE;
        if (translate != null) {
            List<String> words = CssText.words(translate.value());
            move = move.plus(pixels(words, 0, font), pixels(words, 1, font), translate.doubtful());
        }
        if (transform == null) {
            return move;
        }
        for (String function : CssText.words(transform.value().replace(")", ") "))) {
            int open = function.indexOf('(');
            if (open > 0 && function.startsWith("translate")) {
                List<String> arguments = CssText.split(function.substring(open + 1, function.length() - 1), ", ");
                boolean vertical = function.startsWith("translatey(");
                double first = pixels(arguments, 0, font);
                double x = vertical ? 0 : first;
                boolean flat = function.startsWith("translatex(") || function.startsWith("translatez(");
                double y = vertical ? first : flat ? 0 : pixels(arguments, 1, font);
                move = move.plus(function.startsWith("translatez(") ? 0 : x, y, transform.doubtful());
            }
        }
        return move;
    }

    private CssMove plus(double right, double down, boolean inDoubt) {
        boolean far = right <= -FAR || down <= -FAR;
        return inDoubt ? new CssMove(x, y, isSuspicious || far) : new CssMove(x + right, y + down, isSuspicious || far);
    }

    /** Pixels; 0 for shares of the element, whose size is not known. */
    private static double pixels(List<String> words, int at, double font) {
        CssLength length = at < words.size() ? CssLength.of(words.get(at)) : null;
        double pixels = length == null ? 0 : length.pixels(font, Double.NaN);
        return Double.isNaN(pixels) ? 0 : pixels;
    }
}
