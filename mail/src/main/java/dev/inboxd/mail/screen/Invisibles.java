package dev.inboxd.mail.screen;

/** Characters without shape: which they are, and where they have a use that is no concealment. */
final class Invisibles {
    private static final int TAG_FIRST = 0xE0000;
    private static final int TAG_LAST = 0xE007F;
    private static final int WAVING_FLAG = 0x1F3F4;

    private Invisibles() {}

    /** Whether a character is not shown: zero width, direction, variation, tag. */
    static boolean isInvisible(int c) {
        return c == 0x00AD
                || c == 0x034F
                || c == 0x061C
                || c == 0x115F
                || c == 0x1160
                || c == 0x17B4
                || c == 0x17B5
                || c == 0x180E
                || (c >= 0x200B && c <= 0x200F)
                || (c >= 0x202A && c <= 0x202E)
                || (c >= 0x2060 && c <= 0x206F)
                || c == 0x3164
                || isVariation(c)
                || c == 0xFEFF
                || c == 0xFFA0
                || isTag(c);
    }

    static boolean isTag(int c) {
        return c >= TAG_FIRST && c <= TAG_LAST;
    }

    static boolean isVariation(int c) {
        return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
    }

    /** Whether it separates letters of one word that needs no separation: Latin, Greek or Cyrillic ones. */
    static boolean conceals(String text, int at, int c) {
        if (c == 0x00AD) {
            return false; // a soft hyphen: where a long word may be broken
        }
        int behind = at + Character.charCount(c);
        return at > 0 && behind < text.length() && isEuropean(text.charAt(at - 1)) && isEuropean(text.charAt(behind));
    }

    private static boolean isEuropean(char c) {
        return c < 0x0530 && Character.isLetter(c);
    }

    /**
     * What tag characters say, which are ASCII in disguise.
     *
     * @return empty when all of them belong to flags (UTS #51, emoji tag sequences)
     */
    static String tags(String text) {
        StringBuilder said = new StringBuilder();
        boolean flag = false;
        for (int i = text.indexOf('\uDB40'); i >= 0 && i < text.length(); ) {
            int c = text.codePointAt(i);
            if (isTag(c)) {
                int before = i > 0 ? text.codePointBefore(i) : 0;
                flag = before == WAVING_FLAG || (flag && isTag(before));
                if (!flag && c > TAG_FIRST + ' ' - 1 && c < TAG_LAST) {
                    said.append((char) (c - TAG_FIRST));
                }
            }
            i += Character.charCount(c);
        }
        return said.toString();
    }
}
