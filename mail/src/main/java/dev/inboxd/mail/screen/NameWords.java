package dev.inboxd.mail.screen;

import java.nio.charset.StandardCharsets;

/** The words of a name, such as that of a file or of a header field, in which spaces are written in other ways. */
public final class NameWords {
    private NameWords() {}

    /** The name with spaces where it has escapes of addresses, plus signs or, for words, capitals. */
    public static String of(String name) {
        String plain = name.indexOf('%') < 0 ? name : decoded(name);
        StringBuilder words = new StringBuilder(plain.length() + 8);
        char before = ' ';
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (Character.isUpperCase(c) && Character.isLowerCase(before)) {
                words.append(' ');
            }
            words.append(c == '+' || c == '_' ? ' ' : c);
            before = c;
        }
        return words.toString();
    }

    private static String decoded(String name) {
        byte[] octets = name.getBytes(StandardCharsets.UTF_8);
        int size = 0;
        for (int i = 0; i < octets.length; i++) {
            int high = octets[i] == '%' && i + 2 < octets.length ? Character.digit(octets[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(octets[i + 2], 16);
            octets[size++] = low < 0 ? octets[i] : (byte) (high * 16 + low);
            i += low < 0 ? 0 : 2;
        }
        return new String(octets, 0, size, StandardCharsets.UTF_8);
    }
}
