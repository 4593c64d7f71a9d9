package dev.inboxd.mail.screen;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds what is written in an encoding inside a text: base64, hexadecimal, binary, decimal codes, Morse. */
final class Encodings {
    private static final int SHORTEST_BASE64 = 24;
    private static final int FEWEST_CODES = 8;
    private static final int MAX_DECODED = 64 * 1024;
    private static final double READABLE = 0.9;

    private static final Map<String, Character> MORSE = signs();

    private final String text;
    private final List<String> plaintexts = new ArrayList<>();
    private int decoded;

    private Encodings(String text) {
        this.text = text;
    }

    /** What the encoded parts say, as far as it is readable. */
    static List<String> in(String text) {
        Encodings encodings = new Encodings(text);
        encodings.base64();
        encodings.codes();
        if (text.contains(".-") || text.contains("-.")) {
            encodings.morse();
        }
        return encodings.plaintexts;
    }

    private void base64() {
        int i = 0;
        while (i < text.length()) {
            int start = i;
            int ahead = i + SHORTEST_BASE64 - 1;
            if (ahead < text.length() && !isBase64(text.charAt(ahead)) && text.charAt(ahead) != '\n') {
                i = ahead + 1; // no run that is long enough begins before
                continue;
            }
            while (i < text.length() && isBase64(text.charAt(i))) {
                i++;
                // a long run may be broken into lines
                if (i - start >= 60
                        && i + 1 < text.length()
                        && text.charAt(i) == '\n'
                        && isBase64(text.charAt(i + 1))) {
                    i++;
                }
            }
            if (i - start >= SHORTEST_BASE64) {
                decodeBase64(text.substring(start, i).replace("\n", ""));
            }
            i++;
        }
    }

    private void decodeBase64(String run) {
        String digits = run.replace('-', '+').replace('_', '/');
        int end = digits.indexOf('=');
        digits = end < 0 ? digits : digits.substring(0, end);
        digits = digits.substring(0, digits.length() - (digits.length() % 4 == 1 ? 1 : 0));
        try {
            add(Base64.getDecoder().decode(digits));
        } catch (IllegalArgumentException notBase64) {
            return; // not base64 after all
        }
    }

    private static boolean isBase64(char c) {
        return isLetter(c) || isDecimal(c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_';
    }

    /** Runs of codes: pairs of hexadecimal digits, eights of binary ones, decimal numbers. */
    private void codes() {
        StringBuilder said = new StringBuilder();
        int last = -8;
        int i = 0;
        while (i < text.length()) {
            // the first digit of the code of a letter or mark is a decimal one, however codes are written
            if (!isDecimal(text.charAt(i)) || (i > 0 && isWordBefore(i))) {
                i++;
                continue;
            }
            int start = i;
            while (i < text.length() && isHex(text.charAt(i))) {
                i++;
            }
            boolean word = i < text.length() && isLetter(text.charAt(i)) && text.charAt(i) != 'x';
            String part = word ? "" : codesOf(start, i);
            if (part.isEmpty() || start - last > 3) {
                end(said);
            }
            said.append(part);
            last = part.isEmpty() ? -8 : i;
        }
        end(said);
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDecimal(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isHex(char c) {
        return isDecimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    private boolean isWordBefore(int i) {
        char before = text.charAt(i - 1);
        return (isLetter(before) || isHex(before)) && before != 'x' && before != 'u';
    }

    private String codesOf(int start, int end) {
        int length = end - start;
        if (length % 8 == 0 && isBinary(start, end)) {
            return numbers(start, end, 8, 2);
        }
        if (length == 2 || (length >= 2 * FEWEST_CODES && length % 2 == 0)) {
            return numbers(start, end, 2, 16);
        }
        return length == 3 ? numbers(start, end, 3, 10) : "";
    }

    private boolean isBinary(int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.charAt(i) != '0' && text.charAt(i) != '1') {
                return false;
            }
        }
        return true;
    }

    private String numbers(int start, int end, int width, int radix) {
        StringBuilder said = new StringBuilder();
        for (int i = start; i + width <= end; i += width) {
            int value = 0;
            for (int k = i; k < i + width; k++) {
                int digit = Character.digit(text.charAt(k), radix);
                if (digit < 0) {
                    return "";
                }
                value = value * radix + digit;
            }
            said.append(value >= ' ' && value < 0x7F ? (char) value : '\u0000');
        }
        return said.toString();
    }

    private void end(StringBuilder said) {
        if (said.length() >= FEWEST_CODES) {
            add(said.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
        said.setLength(0);
    }

    private void morse() {
        StringBuilder said = new StringBuilder();
        StringBuilder sign = new StringBuilder();
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : 'x';
            if ((c == '.' || c == '-') && sign.length() < 7) {
                sign.append(c);
                continue;
            }
            if (!sign.isEmpty()) {
                said.append(MORSE.getOrDefault(sign.toString(), '\u0000'));
                sign.setLength(0);
            }
            if (c == '/') {
                said.append(' ');
            } else if (c != ' ') {
                end(said);
            }
        }
    }

    private static Map<String, Character> signs() {
        String[] signs = (".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .--"
                        + " -..- -.-- --..")
                .split(" ", -1);
        Map<String, Character> morse = new HashMap<>();
        for (int i = 0; i < signs.length; i++) {
            morse.put(signs[i], (char) ('a' + i));
        }
        return morse;
    }

    private void add(byte[] octets) {
        String said = new String(octets, StandardCharsets.UTF_8);
        if (decoded + said.length() > MAX_DECODED) {
            return;
        }
        long readable = said.chars()
                .filter(c -> c == '\n' || (c >= ' ' && c != 0xFFFD && c != 0x7F))
                .count();
        if (readable >= READABLE * said.length() && said.indexOf(' ') >= 0) {
            decoded += said.length();
            plaintexts.add(said);
        }
    }

    /** The text with each Latin letter moved on in the alphabet. */
    static String shifted(CharSequence text, int by) {
        StringBuilder shifted = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            shifted.append(c >= 'a' && c <= 'z' ? (char) ('a' + (c - 'a' + by) % 26) : c);
        }
        return shifted.toString();
    }
}
