package dev.inboxd.mail.reply.line;

import dev.inboxd.mail.reply.phrase.Devices;
import dev.inboxd.mail.reply.phrase.Phrases;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of a message. */
public final class TextLine {
    /** Maximum number of lines examined; the rest belongs to the last one. */
    private static final int MAX_LINES = 10_000;

    private static final int MAX_LOOKED_AT = 2_000;

    private final String text;
    private @Nullable String words;

    /** Whether it is the author's own, whatever it begins with. */
    private final boolean isOwn;

    /** The link or the code of which a {@code >} at its beginning may be a part. */
    final @Nullable Object signHolder;

    private TextLine(String text, boolean isOwn, @Nullable Object signHolder) {
        this.text = text;
        this.isOwn = isOwn;
        this.signHolder = signHolder;
    }

    /** A line without its end; of a very long one only the beginning is examined. */
    public static TextLine of(String text) {
        return of(text, null);
    }

    /**
     * A line of HTML.
     *
     * @param signHolder the link or the code of which a {@code >} at its beginning may be a part
     */
    public static TextLine of(String text, @Nullable Object signHolder) {
        return new TextLine(text, false, signHolder);
    }

    /** The lines of a text; the last one contains the rest when there are too many. */
    public static List<TextLine> split(String text) {
        List<TextLine> lines = new ArrayList<>();
        int start = 0;
        while (start <= text.length()) {
            int end = lines.size() < MAX_LINES - 1 ? text.indexOf('\n', start) : -1;
            if (end < 0) {
                end = text.length();
            }
            lines.add(of(text.substring(start, end)));
            start = end + 1;
        }
        return lines;
    }

    /** The line without the space before its {@code >} that says that it is no quotation (RFC 3676 §4.4). */
    public TextLine unstuffed() {
        return text.startsWith(" >") ? new TextLine(text.substring(1), true, null) : this;
    }

    /** The text as written. */
    public String text() {
        return text;
    }

    /** The text folded, without marks of direction, and without the spaces around it. */
    public String words() {
        String folded = words;
        if (folded == null) {
            folded = withoutDirections(Phrases.fold(text.substring(0, Math.min(text.length(), MAX_LOOKED_AT))))
                    .strip();
            words = folded;
        }
        return folded;
    }

    /** Marks of direction (Unicode's Bidi_Control) hide the words that they stand beside. */
    private static String withoutDirections(String text) {
        StringBuilder stripped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isMark = c == '\u061C'
                    || (c >= '\u200E' && c <= '\u200F')
                    || (c >= '\u202A' && c <= '\u202E')
                    || (c >= '\u2066' && c <= '\u2069');
            if (isMark && stripped == null) {
                stripped = new StringBuilder(text.length()).append(text, 0, i);
            } else if (!isMark && stripped != null) {
                stripped.append(c);
            }
        }
        return stripped == null ? text : stripped.toString();
    }

    /** Whether it has no words and no signs. */
    public boolean isEmpty() {
        boolean isSeen = !text.isEmpty() && text.charAt(0) > ' ' && text.charAt(0) < 0x80;
        return !isSeen && words().isEmpty();
    }

    /**
     * Whether the line is certainly text, by its first character and the number of its signs: a cheap test, which most
     * lines pass.
     */
    boolean isPlain() {
        return text.length() > 1
                && Character.isLetter(text.charAt(0))
                && text.indexOf(':') < 0
                && text.indexOf('>') < 0
                && text.indexOf('：') < 0
                && !AttributionLine.isEnd(text.charAt(text.length() - 1));
    }

    /** RFC 3676 §4.5, and the initials that some programs write before the sign: {@code AB> }. */
    boolean isQuoted() {
        if (isOwn) {
            return false;
        }
        int i = 0;
        String words = words();
        while (i < words.length() && i < 4 && Character.isLetter(words.charAt(i))) {
            i++;
        }
        return i < words.length() && words.charAt(i) == '>' && (i == 0 || !text.contains("<"));
    }

    /** Whether a device or a mail program adds this line below a text. */
    public boolean isDevice() {
        return text.length() < MAX_LOOKED_AT && !isEmpty() && Devices.isDevice(plain());
    }

    /** The words without signs for division, decoration and quoting: those at both ends, and all asterisks. */
    public String plain() {
        String words = words();
        int start = 0;
        int end = words.length();
        while (start < end && isDecoration(words.charAt(start))) {
            start++;
        }
        while (end > start && isDecoration(words.charAt(end - 1))) {
            end--;
        }
        String plain = words.substring(start, end);
        return plain.indexOf('*') < 0 && plain.indexOf('[') < 0 ? plain : without(plain);
    }

    private static String without(String text) {
        StringBuilder stripped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '*' && c != '[' && c != ']') {
                stripped.append(c);
            }
        }
        return stripped.toString();
    }

    static boolean isDecoration(char c) {
        return "-_=*~#+>|<[]()\"'«»„“”—–─━ .\u200E\u200F\u202A\u202B\u202C\u00AD\u1427".indexOf(c) >= 0;
    }

    /** Whether the line has no words, and signs that divide. */
    boolean isRule() {
        String words = words();
        for (int i = 0; i < words.length(); i++) {
            if ("-_=*~#+—–─━\u1427\u200E\u200F ".indexOf(words.charAt(i)) < 0) {
                return false;
            }
        }
        return !words.isEmpty();
    }
}
