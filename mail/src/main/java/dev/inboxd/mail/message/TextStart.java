package dev.inboxd.mail.message;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells by the first octets of a content whether it is text, whatever its type and its name say. */
public final class TextStart {
    /** Of so many octets one may be a control character that no text has. */
    private static final int OCTETS_A_CONTROL = 20;

    /** Text of two octets a character has a zero in at least this share of its pairs, in tenths. */
    private static final int ZEROS_OF_TEN = 4;

    /** Names of files that people and programs open as text. */
    private static final Pattern TEXT_NAME = Pattern.compile(
            "\\.(?:txt|text|md|markdown|csv|tsv|log|json|xml|ya?ml|html?|svg|ics|vcs|eml|ini|conf|py|js|ts|sh|rst)$",
            Pattern.CASE_INSENSITIVE);

    private TextStart() {}

    /**
     * Whether the content is text: with a byte order mark, of two octets a character, or almost without control
     * characters. A compressed content has one in nine octets.
     *
     * @param start the first octets, at most a few thousand
     */
    public static boolean isText(byte[] start) {
        return start.length > 0
                && (hasMark(start) || isUtf16(start) || controls(start) * OCTETS_A_CONTROL <= start.length);
    }

    /**
     * Whether a reader takes the content for text: by its octets, its type or its name.
     *
     * @param mediaType as the message says it, in small letters
     */
    public static boolean isText(byte[] start, String mediaType, @Nullable String filename) {
        return isText(start)
                || (start.length > 0
                        && (mediaType.startsWith("text/")
                                || mediaType.equals("message/rfc822")
                                || (filename != null
                                        && TEXT_NAME.matcher(filename).find())));
    }

    /** Whether the octets are text of two octets a character, without a byte order mark. */
    static boolean isUtf16(byte[] start) {
        return isZeroAt(start, 0) || isZeroAt(start, 1);
    }

    /** Whether the zeros of such a text are the second octets. */
    static boolean isLittleEndian(byte[] start) {
        return isZeroAt(start, 1);
    }

    private static boolean hasMark(byte[] start) {
        if (start.length < 2) {
            return false;
        }
        int mark = (start[0] & 0xFF) << Byte.SIZE | (start[1] & 0xFF);
        return mark == 0xFEFF || mark == 0xFFFE || mark == 0xEFBB;
    }

    /** Whether many characters have a zero in this one of their two octets, and none in the other. */
    private static boolean isZeroAt(byte[] start, int at) {
        int pairs = start.length / 2;
        int zeros = 0;
        int others = 0;
        for (int i = 0; i < pairs; i++) {
            zeros += start[2 * i + at] == 0 ? 1 : 0;
            others += isControl(start[2 * i + 1 - at]) ? 1 : 0;
        }
        return pairs > 1 && zeros * 10 >= pairs * ZEROS_OF_TEN && others * OCTETS_A_CONTROL <= pairs;
    }

    private static int controls(byte[] start) {
        int controls = 0;
        for (byte octet : start) {
            controls += isControl(octet) ? 1 : 0;
        }
        return controls;
    }

    /** A control character but for those of layout and the escape of charsets. */
    private static boolean isControl(byte octet) {
        boolean layout = octet >= 0x08 && octet <= 0x0D;
        return (octet >= 0 && octet < 0x20 && !layout && octet != 0x1B) || octet == 0x7F;
    }
}
