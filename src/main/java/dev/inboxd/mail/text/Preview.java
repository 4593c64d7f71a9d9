package dev.inboxd.mail.text;

/** The first words of a message. */
public final class Preview {
    private static final int MAX_CODE_POINTS = 256;

    private Preview() {}

    /**
     * White space collapsed to single spaces, then the first 256 code points.
     *
     * @param text of any length; only as much as needed is read
     * @return possibly empty, never ending in a space or within a surrogate pair
     */
    public static String of(String text) {
        var preview = new StringBuilder(MAX_CODE_POINTS);
        int count = 0;
        boolean space = false;
        for (int i = 0; i < text.length() && count < MAX_CODE_POINTS; ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (isSpace(c)) {
                space = count > 0;
            } else if (!space) {
                preview.appendCodePoint(c);
                count++;
            } else if (count + 2 <= MAX_CODE_POINTS) {
                preview.append(' ').appendCodePoint(c);
                count += 2;
                space = false;
            } else {
                break;
            }
        }
        return preview.toString();
    }

    /** Whether a reader would see nothing: white space, characters without width, controls. */
    public static boolean isBlank(String text) {
        return text.codePoints().allMatch(Preview::isUnseen);
    }

    private static boolean isUnseen(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            // The fillers, the joiner without a grapheme, the blank of Braille and the selectors of variants.
            default ->
                c == 0x034F
                        || c == 0x115F
                        || c == 0x1160
                        || c == 0x17B4
                        || c == 0x17B5
                        || c == 0x2800
                        || c == 0x3164
                        || c == 0xFFA0
                        || (c >= 0xFE00 && c <= 0xFE0F);
        };
    }

    // Newsletters fill their previews with characters without width.
    private static boolean isSpace(int c) {
        return Character.isWhitespace(c)
                || Character.isSpaceChar(c)
                || Character.isISOControl(c)
                || c == 0x200B
                || c == 0x200C
                || c == 0x034F
                || c == 0x00AD
                || c == 0xFEFF;
    }
}
