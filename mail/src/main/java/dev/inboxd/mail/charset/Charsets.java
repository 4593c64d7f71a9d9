package dev.inboxd.mail.charset;

import com.ibm.icu.text.CharsetDetector;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes octets to text, in the charset that senders mean by a label. Never fails; undecodable octets become U+FFFD.
 */
public final class Charsets {
    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final int MIN_GUESS = 24;
    private static final int MAX_GUESS = 4 * 1024;
    private static final int MIN_CONFIDENCE = 30;

    private Charsets() {}

    /** Whether a label names no charset that is known, however it is spelt. */
    public static boolean isUnknown(@Nullable String label) {
        return label != null && CharsetLabels.isUnknown(label);
    }

    /** Decodes a body by its label; without a usable label as UTF-8, then by a guess. */
    public static String decodeBody(byte[] bytes, int length, @Nullable String label) {
        var text = label == null ? null : decodeLabelled(bytes, length, label);
        return text != null ? text : guess(bytes, length);
    }

    /** Decodes a part of a header by its label; without a usable label like other header text. */
    public static String decode(byte[] bytes, int length, String label) {
        var text = decodeLabelled(bytes, length, label);
        return text != null ? text : decodeUnlabelled(bytes, length);
    }

    private static @Nullable String decodeLabelled(byte[] bytes, int length, String label) {
        var name = CharsetLabels.resolve(label);
        if (name.equals("utf-7") || name.equals("unicode-1-1-utf-7")) {
            return Utf7.decode(new String(bytes, 0, length, WINDOWS_1252));
        }
        if (name.equals("hz-gb-2312")) {
            return Hz.decode(bytes, length);
        }
        // Correctly labelled us-ascii is UTF-8 too; wrongly labelled text may be in any charset.
        if (name.isEmpty() || name.equals("us-ascii") || name.equals("ascii") || name.equals("unknown-8bit")) {
            return null;
        }
        var charset = CharsetLabels.charset(name);
        if (charset == null) {
            return null;
        }
        if (!Iso2022Jp.isAlike(charset) && Iso2022Jp.isUsed(bytes, length)) {
            return new String(bytes, 0, length, Iso2022Jp.CHARSET);
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
        int wellFormed = 0;
        int broken = 0;
        for (int i = 0; i < length; ) {
            int octets = utf8Length(bytes, i, length);
            wellFormed += octets > 1 ? 1 : 0;
            broken += octets == 0 ? 1 : 0;
            i += Math.max(1, octets);
        }
        return broken > wellFormed;
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
    public static byte[] toUtf8(byte[] bytes, String label, boolean isText) {
        var charset = isUtf8(bytes, bytes.length) ? null : CharsetLabels.charset(label);
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
    public static String decodeUnlabelled(byte[] bytes, int length) {
        var utf8 = unlabelled(bytes, length);
        return utf8 != null ? utf8 : new String(bytes, 0, length, WINDOWS_1252);
    }

    /** The octets of a character in the labelled charset, for text that was decoded as a header before. */
    public static byte[] encode(char c, String label) {
        var charset = CharsetLabels.charset(label);
        return String.valueOf(c).getBytes(charset != null && charset.canEncode() ? charset : StandardCharsets.UTF_8);
    }

    private static String guess(byte[] bytes, int length) {
        var decoded = unlabelled(bytes, length);
        if (decoded != null) {
            return decoded;
        }
        return new String(bytes, 0, length, length < MIN_GUESS ? WINDOWS_1252 : detect(bytes, length));
    }

    private static Charset detect(byte[] bytes, int length) {
        var match = new CharsetDetector()
                .setText(Arrays.copyOf(bytes, Math.min(length, MAX_GUESS)))
                .detect();
        var detected =
                match == null || match.getConfidence() < MIN_CONFIDENCE ? null : CharsetLabels.charset(match.getName());
        return detected == null ? WINDOWS_1252 : detected;
    }

    /** Text whose octets say by themselves what they are; null for any other. */
    private static @Nullable String unlabelled(byte[] bytes, int length) {
        return Iso2022Jp.isUsed(bytes, length) ? new String(bytes, 0, length, Iso2022Jp.CHARSET) : utf8(bytes, length);
    }

    private static @Nullable String utf8(byte[] bytes, int length) {
        var text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 || isUtf8(bytes, length) ? text : null;
    }

    public static boolean isUtf8(byte[] bytes, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
