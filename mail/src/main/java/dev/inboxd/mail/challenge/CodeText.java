package dev.inboxd.mail.challenge;

import java.text.Normalizer;

/** The characters of a line as those that are typed. */
final class CodeText {
    /** The first mark that stands over the letter before it. */
    private static final int COMBINING = 0x300;

    private CodeText() {}

    /**
     * A line with the digits, letters, spaces and hyphens of ASCII for those of other kinds, without what has no width.
     */
    static String plain(String line) {
        if (isBelow(line, 0x80)) {
            return line;
        }
        String composed = isBelow(line, COMBINING) || Normalizer.isNormalized(line, Normalizer.Form.NFC)
                ? line
                : Normalizer.normalize(line, Normalizer.Form.NFC);
        StringBuilder plain = new StringBuilder(composed.length());
        for (int i = 0; i < composed.length(); ) {
            int c = composed.codePointAt(i);
            i += Character.charCount(c);
            if (c < 0x80) {
                plain.append((char) c);
            } else if (Character.getType(c) != Character.FORMAT) {
                append(c, plain);
            }
        }
        return plain.toString();
    }

    private static boolean isBelow(String line, int least) {
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) >= least) {
                return false;
            }
        }
        return true;
    }

    /** A line with signs for the letters of web and mail addresses, which hold no code. */
    static String withoutAddresses(String line) {
        if (line.indexOf("://") < 0 && line.indexOf('@') < 0) {
            return line;
        }
        StringBuilder masked = new StringBuilder(line);
        int start = 0;
        for (int i = 0; i <= line.length(); i++) {
            if (i == line.length() || isOutside(line.charAt(i))) {
                String word = line.substring(start, i);
                if (word.contains("://") || (word.indexOf('@') > 0 && word.indexOf('.', word.indexOf('@')) > 0)) {
                    masked.replace(start, i, "\uFFFC".repeat(i - start));
                }
                start = i + 1;
            }
        }
        return masked.toString();
    }

    private static boolean isOutside(char c) {
        return c <= ' ' || "<>\"()[]（）【】「」，。".indexOf(c) >= 0;
    }

    private static void append(int c, StringBuilder plain) {
        int digit = Character.isDigit(c) ? Character.digit(c, 10) : keycap(c);
        if (digit >= 0) {
            plain.append((char) ('0' + digit));
        } else if ((c >= 0xFF21 && c <= 0xFF3A) || (c >= 0xFF41 && c <= 0xFF5A) || c == 0xFF1A) {
            plain.append((char) (c - 0xFEE0));
        } else if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0xFF0D || c == 0xFE63) {
            plain.append(c == 0x2014 || c == 0x2015 ? '\u2014' : '-');
        } else if (Character.isSpaceChar(c)) {
            plain.append(' ');
        } else if (c != 0x20E3 && c != 0xFE0F) { // the frame of a keycap
            plain.appendCodePoint(c);
        }
    }

    /** Digits in a circle. */
    private static int keycap(int c) {
        return c >= 0x2460 && c <= 0x2468 ? c - 0x2460 + 1 : c == 0x24EA ? 0 : -1;
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isCapital(int c) {
        return c >= 'A' && c <= 'Z';
    }

    static boolean isSmall(int c) {
        return c >= 'a' && c <= 'z';
    }
}
