package dev.inboxd.mail.text;

import java.text.Normalizer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Folds letters for search: without case, accents, vowel points and width. Folded text is for comparison only, never
 * for display. Expects text in NFC.
 */
public final class TextFolding {
    private static final char FIRST_MARK = 0x0300;
    private static final int HANGUL_FIRST = 0xAC00;
    private static final int HANGUL_LAST = 0xD7A3;
    private static final @Nullable String[] CACHE = new String[Character.MIN_SUPPLEMENTARY_CODE_POINT];

    private TextFolding() {}

    /** Appends the folded form of a code point: usually one character, none for a mark, several for a ligature. */
    public static void append(int codePoint, StringBuilder folded) {
        if (codePoint < 0x80) {
            folded.append((char) (codePoint >= 'A' && codePoint <= 'Z' ? codePoint + 32 : codePoint));
        } else if (codePoint < CACHE.length) {
            String cached = CACHE[codePoint];
            if (cached == null) {
                cached = fold(codePoint);
                CACHE[codePoint] = cached; // a race writes the same twice
            }
            folded.append(cached);
        } else {
            folded.append(fold(codePoint));
        }
    }

    /** The folded form of a whole text. */
    public static String of(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        composed(text).codePoints().forEach(c -> append(c, folded));
        return folded.toString();
    }

    /** The text in NFC, which folding and word splitting expect. */
    public static String composed(String text) {
        return isBelowMarks(text) || Normalizer.isNormalized(text, Normalizer.Form.NFC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    /** Whether all characters are below U+0300, where every text is in NFC already (UAX #15, NFC_Quick_Check). */
    private static boolean isBelowMarks(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= FIRST_MARK) {
                return false;
            }
        }
        return true;
    }

    private static String fold(int codePoint) {
        String letter = Character.toString(codePoint);
        if (codePoint >= HANGUL_FIRST && codePoint <= HANGUL_LAST) {
            return letter; // its parts are letters of their own, not marks
        }
        StringBuilder folded = new StringBuilder();
        Normalizer.normalize(letter, Normalizer.Form.NFKD)
                .toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(part -> !isDropped(part))
                .forEach(part -> folded.append(latin(part)));
        return folded.toString();
    }

    /** Marks that people leave out when they type: accents, Hebrew and Arabic points, the tatweel. Not vowel signs. */
    private static boolean isDropped(int c) {
        return (c >= 0x0300 && c <= 0x036F)
                || (c >= 0x0591 && c <= 0x05C7)
                || (c >= 0x0610 && c <= 0x061A)
                || c == 0x0640
                || (c >= 0x064B && c <= 0x065F)
                || c == 0x0670
                || (c >= 0x06D6 && c <= 0x06ED)
                || (c >= 0x1AB0 && c <= 0x1AFF)
                || (c >= 0x1DC0 && c <= 0x1DFF)
                || (c >= 0x20D0 && c <= 0x20FF)
                || (c >= 0xFE00 && c <= 0xFE0F)
                || (c >= 0xFE20 && c <= 0xFE2F)
                || c == 0x00AD
                || c == 0x200C
                || c == 0x200D
                || !Words.isPart(c);
    }

    /** Letters that Unicode does not decompose and people type as several. */
    private static String latin(int c) {
        return switch (c) {
            case 'ß' -> "ss";
            case 'æ' -> "ae";
            case 'œ' -> "oe";
            case 'ø' -> "o";
            case 'đ', 'ð' -> "d";
            case 'ħ' -> "h";
            case 'ı' -> "i";
            case 'ł' -> "l";
            case 'þ' -> "th";
            case 'ς' -> "σ";
            default -> Character.toString(c);
        };
    }
}
