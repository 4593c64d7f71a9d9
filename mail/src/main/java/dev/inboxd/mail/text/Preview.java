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
