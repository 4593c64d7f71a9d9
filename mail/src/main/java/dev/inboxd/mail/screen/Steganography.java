package dev.inboxd.mail.screen;

/** What invisible characters say: tags, variation selectors that stand for octets, and zero-width ones for bits. */
final class Steganography {
    private static final int FEWEST_BITS = 40;
    private static final int OCTET = 8;
    private static final int MAX_BITS = 64 * 1024;

    private Steganography() {}

    /** The message in invisible characters; empty when there is none, as when all of them have their usual use. */
    static String read(String text) {
        if (isPlain(text)) {
            return "";
        }
        return Invisibles.tags(text) + variations(text) + bits(text);
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x200B) {
                return false;
            }
        }
        return true;
    }

    /** Each of 256 variation selectors for an octet; a lone one only chooses the form of the character before it. */
    private static String variations(String text) {
        StringBuilder said = new StringBuilder();
        int before = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (Invisibles.isVariation(c) && (Invisibles.isVariation(before) || c >= 0xE0100)) {
                int octet = c >= 0xE0100 ? c - 0xE0100 + 16 : c - 0xFE00;
                said.append(octet >= ' ' && octet < 0x7F ? (char) octet : ' ');
            }
            before = c;
        }
        return said.length() > OCTET ? said.toString() : "";
    }

    /** Two kinds of zero-width characters as the bits of ASCII letters; the first kind is 0, or 1. */
    private static String bits(String text) {
        StringBuilder bits = new StringBuilder();
        char zero = 0;
        for (int i = 0; i < text.length() && bits.length() < MAX_BITS; i++) {
            char c = text.charAt(i);
            if ((c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF) {
                zero = zero == 0 ? c : zero;
                bits.append(c == zero ? '0' : '1');
            }
        }
        if (bits.length() < FEWEST_BITS) {
            return "";
        }
        String message = letters(bits, '1');
        return message.isEmpty() ? letters(bits, '0') : message;
    }

    private static String letters(CharSequence bits, char oneBit) {
        StringBuilder said = new StringBuilder();
        int readable = 0;
        for (int i = 0; i + OCTET <= bits.length(); i += OCTET) {
            int octet = 0;
            for (int k = i; k < i + OCTET; k++) {
                octet = octet << 1 | (bits.charAt(k) == oneBit ? 1 : 0);
            }
            boolean letter = octet >= ' ' && octet < 0x7F;
            readable += letter ? 1 : 0;
            said.append(letter ? (char) octet : ' ');
        }
        return readable * 10 >= said.length() * 9 ? said.toString() : "";
    }
}
