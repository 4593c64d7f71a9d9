package dev.inboxd.mail.text;

import dev.inboxd.mail.html.Appearance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * What pictures say, in the line in which they stand: their {@code alt}, unless the text beside them says the same.
 */
final class PictureWords {
    private static final int LONGEST = 80;
    private static final int TINY = 3;
    /** Lines that are longer, or have more pictures, keep the words of all of them. */
    private static final int LONGEST_LINE = 2_000;

    private static final int MOST_PICTURES = 50;

    private final List<Piece> pieces = new ArrayList<>();

    /**
     * The words of a picture in a line.
     *
     * @param shown as they stand there, from {@code start} on
     */
    private record Piece(int start, String shown, String words) {
        int end() {
            return start + shown.length();
        }
    }

    /**
     * The words of a picture; null for other elements, for one that a person does not see, and for one that says
     * nothing.
     */
    static @Nullable String of(Element element, Appearance appearance) {
        return appearance.isPictureShown() ? of(element) : null;
    }

    /** The same of an element that is shown. */
    static @Nullable String of(Element element) {
        boolean isPicture = element.nameIs("img") || isButton(element);
        if (!isPicture || isTiny(element)) {
            return null;
        }
        String alt = element.attr("alt");
        if (alt.isEmpty() || BlankText.isBlank(alt)) {
            return null;
        }
        String words = collapsed(alt);
        return words.codePointCount(0, words.length()) <= LONGEST
                ? words
                : words.substring(0, words.offsetByCodePoints(0, LONGEST)).strip() + "...";
    }

    static boolean isButton(Element element) {
        return element.nameIs("input") && element.attr("type").strip().equalsIgnoreCase("image");
    }

    static boolean isTiny(Element element) {
        return isTiny(element, "width") || isTiny(element, "height");
    }

    /** Whether an attribute says that it has at most three points. A style goes before it; which, is not known here. */
    private static boolean isTiny(Element element, String name) {
        String length = element.attr(name).strip();
        int digits = 0;
        while (digits < length.length() && length.charAt(digits) >= '0' && length.charAt(digits) <= '9') {
            digits++;
        }
        boolean isPixels = digits > 0 && digits <= 2 && !length.endsWith("%");
        return isPixels && Integer.parseInt(length.substring(0, digits)) <= TINY;
    }

    private static String collapsed(String alt) {
        StringBuilder words = new StringBuilder(Math.min(alt.length(), 2 * LONGEST));
        boolean space = false;
        for (int i = 0; i < alt.length() && words.length() <= 2 * LONGEST; i++) {
            char c = alt.charAt(i);
            if (c <= ' ' || Character.isSpaceChar(c)) {
                space = !words.isEmpty();
            } else {
                words.append(space ? " " : "").append(c);
                space = false;
            }
        }
        return words.toString();
    }

    /** Notes the words of a picture at the end of a line. */
    void add(int start, String shown, String words) {
        pieces.add(new Piece(start, shown, words));
    }

    /** Takes out of a line what its other words say too. Begins a new line. */
    void removeRepeated(StringBuilder line) {
        if (pieces.size() <= MOST_PICTURES && line.length() <= LONGEST_LINE) {
            for (Piece piece : pieces.reversed()) {
                if (says(line.substring(0, piece.start) + " " + line.substring(piece.end()), piece.words)) {
                    boolean spaced = piece.start == 0 || line.charAt(piece.start - 1) == ' ';
                    int end = piece.end();
                    line.delete(piece.start, spaced && end < line.length() && line.charAt(end) == ' ' ? end + 1 : end);
                }
            }
            while (!pieces.isEmpty() && !line.isEmpty() && line.charAt(line.length() - 1) == ' ') {
                line.setLength(line.length() - 1);
            }
        }
        pieces.clear();
    }

    /** The words of the picture of which a line consists; null when it has others. */
    @Nullable
    String all(StringBuilder line) {
        return pieces.size() == 1 && pieces.getFirst().shown.contentEquals(line) ? pieces.getFirst().words : null;
    }

    /** Whether a text has the words. Signs alone, as an emoji, are not said by others. */
    static boolean says(String text, String words) {
        if (words.codePoints().noneMatch(Character::isLetterOrDigit)) {
            return false;
        }
        String folded = text.toLowerCase(Locale.ROOT);
        String foldedWords = words.toLowerCase(Locale.ROOT);
        for (int at = folded.indexOf(foldedWords); at >= 0; at = folded.indexOf(foldedWords, at + 1)) {
            int end = at + foldedWords.length();
            boolean begins = at == 0 || !Character.isLetterOrDigit(folded.charAt(at - 1));
            if (begins && (end == folded.length() || !Character.isLetterOrDigit(folded.charAt(end)))) {
                return true;
            }
        }
        return false;
    }
}
