package dev.inboxd.mail.message;

import com.ibm.icu.text.CharsetDetector;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes octets to text, in the charset that senders mean by a label. Never fails; undecodable octets become U+FFFD.
 */
final class Charsets {
    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final int MIN_GUESS = 24;
    private static final int MAX_GUESS = 4 * 1024;
    private static final int MIN_CONFIDENCE = 30;
    private static final int MAX_LABEL = 40;

    /** Labels that in practice mean a larger charset, or one with another name. */
    private static final Map<String, Charset> ALIASES = aliases(
            "iso-8859-1 windows-1252",
            "iso8859-1 windows-1252",
            "iso_8859-1 windows-1252",
            "latin1 windows-1252",
            "latin-1 windows-1252",
            "cp1252 windows-1252",
            "iso-8859-8-i iso-8859-8",
            "iso-8859-8-e iso-8859-8",
            "iso-8859-9 windows-1254",
            "iso-8859-11 x-windows-874",
            "tis-620 x-windows-874",
            "windows-874 x-windows-874",
            "gb2312 gb18030",
            "gbk gb18030",
            "x-gbk gb18030",
            "cp936 gb18030",
            "gb_2312-80 gb18030",
            "euc-cn gb18030",
            "hz gb18030",
            "big5 big5-hkscs",
            "cp950 big5-hkscs",
            "ks_c_5601-1987 x-windows-949",
            "ks_c_5601 x-windows-949",
            "euc-kr x-windows-949",
            "korean x-windows-949",
            "ksc5601 x-windows-949",
            "cp949 x-windows-949",
            "shift_jis windows-31j",
            "shift-jis windows-31j",
            "sjis windows-31j",
            "x-sjis windows-31j",
            "ms_kanji windows-31j",
            "cp932 windows-31j",
            "iso-2022-jp x-windows-iso2022jp",
            "csiso2022jp x-windows-iso2022jp",
            "cp50220 x-windows-iso2022jp",
            "cp-850 ibm850",
            "cp-437 ibm437",
            "macintosh x-macroman",
            "mac x-macroman",
            "x-mac-roman x-macroman",
            "x-mac-cyrillic x-maccyrillic",
            "utf8 utf-8",
            "utf-8 utf-8",
            "unicode-1-1-utf-8 utf-8",
            "unicode utf-16",
            "utf8mb4 utf-8",
            "koi8r koi8-r",
            "cp-1250 windows-1250",
            "cp-1251 windows-1251",
            "cp-1252 windows-1252");

    private Charsets() {}

    /** Decodes a body by its label; without a usable label as UTF-8, then by a guess. */
    static String decodeBody(byte[] bytes, int length, @Nullable String label, Set<Defect> defects) {
        var text = label == null ? null : decodeLabelled(bytes, length, label, defects);
        return text != null ? text : guess(bytes, length);
    }

    /** Decodes a part of a header by its label; without a usable label like other header text. */
    static String decode(byte[] bytes, int length, String label, Set<Defect> defects) {
        var text = decodeLabelled(bytes, length, label, defects);
        return text != null ? text : decodeUnlabelled(bytes, length);
    }

    private static @Nullable String decodeLabelled(byte[] bytes, int length, String label, Set<Defect> defects) {
        var name = label.strip().toLowerCase(Locale.ROOT);
        if (name.equals("utf-7") || name.equals("unicode-1-1-utf-7")) {
            return Utf7.decode(new String(bytes, 0, length, WINDOWS_1252));
        }
        // Correctly labelled us-ascii is UTF-8 too; wrongly labelled text may be in any charset.
        if (name.isEmpty() || name.equals("us-ascii") || name.equals("ascii") || name.equals("unknown-8bit")) {
            return null;
        }
        var charset = find(name);
        if (charset == null) {
            defects.add(Defect.UNKNOWN_CHARSET);
            return null;
        }
        if (charset.equals(StandardCharsets.UTF_8)) {
            return isMistaken(bytes, length) ? new String(bytes, 0, length, WINDOWS_1252) : decodeUtf8(bytes, length);
        }
        // Text in a charset of single octets is UTF-8 with longer sequences by mistake of the label alone.
        boolean isUtf8 = isSingleOctet(charset) && !isAscii(bytes, length) && isUtf8(bytes, length);
        return new String(bytes, 0, length, isUtf8 ? StandardCharsets.UTF_8 : charset);
    }

    private static String decodeUtf8(byte[] bytes, int length) {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Whether octets that are labelled UTF-8 are something else: broken sequences are more than whole ones. */
    private static boolean isMistaken(byte[] bytes, int length) {
        int whole = 0;
        int broken = 0;
        for (int i = 0; i < length; ) {
            int octets = utf8Length(bytes, i, length);
            whole += octets > 1 ? 1 : 0;
            broken += octets == 0 ? 1 : 0;
            i += Math.max(1, octets);
        }
        return broken > whole;
    }

    /** The octets of the character there (RFC 3629 §4, roughly), 0 when there is none. */
    private static int utf8Length(byte[] bytes, int at, int length) {
        int first = bytes[at] & 0xFF;
        int octets = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        for (int i = at + 1; i < at + octets; i++) {
            if (i >= length || (bytes[i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return octets;
    }

    private static boolean isSingleOctet(Charset charset) {
        return charset.canEncode() && charset.newEncoder().maxBytesPerChar() == 1;
    }

    private static boolean isAscii(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Octets of a header without a label as UTF-8, read by the label of the text unless they are UTF-8 already. The
     * sender chooses the label, and what judges the author reads the octets: so every character of ASCII must stay what
     * and where it was, or a charset such as EBCDIC would show another address than the one that was judged.
     *
     * @param isText whether the field is text without structure; then a charset of several octets, whose second ones
     *     may be in the range of ASCII, is read too
     */
    static byte[] toUtf8(byte[] bytes, String label, boolean isText) {
        var charset = isUtf8(bytes, bytes.length) ? null : find(label.strip().toLowerCase(Locale.ROOT));
        if (charset == null || charset.equals(StandardCharsets.UTF_8) || !holdsAscii(charset)) {
            return bytes;
        }
        var text = new String(bytes, charset);
        if (text.indexOf('\uFFFD') >= 0) {
            return bytes; // the label is not that of the header
        }
        return isText || ascii(text).equals(ascii(new String(bytes, StandardCharsets.ISO_8859_1)))
                ? text.getBytes(StandardCharsets.UTF_8)
                : bytes;
    }

    /** Whether the octets of ASCII, by themselves, are what they are in ASCII. */
    private static boolean holdsAscii(Charset charset) {
        var octets = new byte[0x80];
        for (int i = 0; i < octets.length; i++) {
            octets[i] = (byte) (i == 0x1B || i == 0x0E || i == 0x0F ? ' ' : i); // these three shift some charsets
        }
        return new String(octets, charset).equals(new String(octets, StandardCharsets.US_ASCII));
    }

    private static String ascii(String text) {
        var ascii = new StringBuilder(text.length());
        text.chars().filter(c -> c < 0x80).forEach(c -> ascii.append((char) c));
        return ascii.toString();
    }

    /** Header text without a label: UTF-8 when valid (RFC 6532), else windows-1252. */
    static String decodeUnlabelled(byte[] bytes, int length) {
        var utf8 = utf8(bytes, length);
        return utf8 != null ? utf8 : new String(bytes, 0, length, WINDOWS_1252);
    }

    /** The octets of a character in the labelled charset, for text that was decoded as a header before. */
    static byte[] encode(char c, String label) {
        var charset = find(label);
        return String.valueOf(c).getBytes(charset != null && charset.canEncode() ? charset : StandardCharsets.UTF_8);
    }

    private static String guess(byte[] bytes, int length) {
        var utf8 = utf8(bytes, length);
        if (utf8 != null) {
            return utf8;
        }
        return new String(bytes, 0, length, length < MIN_GUESS ? WINDOWS_1252 : detect(bytes, length));
    }

    private static Charset detect(byte[] bytes, int length) {
        var match = new CharsetDetector()
                .setText(Arrays.copyOf(bytes, Math.min(length, MAX_GUESS)))
                .detect();
        var found = match == null || match.getConfidence() < MIN_CONFIDENCE
                ? null
                : find(match.getName().toLowerCase(Locale.ROOT));
        return found == null ? WINDOWS_1252 : found;
    }

    private static @Nullable String utf8(byte[] bytes, int length) {
        var text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 || isUtf8(bytes, length) ? text : null;
    }

    private static boolean isUtf8(byte[] bytes, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static @Nullable Charset find(String name) {
        var alias = ALIASES.get(name);
        if (alias != null || name.length() > MAX_LABEL) {
            return alias;
        }
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    private static Map<String, Charset> aliases(String... pairs) {
        var aliases = new HashMap<String, Charset>();
        for (String pair : pairs) {
            int space = pair.indexOf(' ');
            aliases.put(pair.substring(0, space), Charset.forName(pair.substring(space + 1)));
        }
        return Map.copyOf(aliases);
    }
}
