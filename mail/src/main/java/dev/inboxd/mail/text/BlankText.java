package dev.inboxd.mail.text;

import java.util.Locale;
import java.util.Set;

/** Finds texts of which a reader would see nothing: white space, characters without width, controls. */
public final class BlankText {
    /** Elements that show something without a text. */
    private static final Set<String> SHOWN = Set.of(
            "img",
            "picture",
            "svg",
            "video",
            "audio",
            "canvas",
            "object",
            "embed",
            "iframe",
            "input",
            "button",
            "hr",
            "meter",
            "progress",
            "select",
            "textarea",
            "math",
            "image",
            "v:image",
            "v:rect",
            "v:shape");
    /** Elements whose text is not shown (HTML standard, "hidden elements"). */
    private static final Set<String> HIDDEN = Set.of("head", "style", "script", "title", "template");

    private static final Set<String> BLANK_REFERENCES = Set.of(
            "&nbsp;",
            "&#160;",
            "&#xa0;",
            "&zwnj;",
            "&zwj;",
            "&#8203;",
            "&#8204;",
            "&#8205;",
            "&#847;",
            "&shy;",
            "&ensp;",
            "&emsp;",
            "&thinsp;",
            "&#65279;",
            "&#xfeff;",
            "&#x200b;",
            "&#x200c;",
            "&#x200d;",
            "&#32;",
            "&#10;",
            "&#13;",
            "&#9;");

    private static final int LONGEST_REFERENCE = 9;

    private BlankText() {}

    /** Whether a reader would see nothing. */
    public static boolean isBlank(String text) {
        return text.codePoints().allMatch(BlankText::isUnseen);
    }

    /** Whether a reader of this HTML would see nothing. Styles are not considered: in doubt it shows something. */
    public static boolean isBlankHtml(String html) {
        int at = 0;
        while (at < html.length()) {
            int next = switch (html.charAt(at)) {
                case '<' -> afterTag(html, at);
                case '&' -> afterReference(html, at);
                default -> isUnseen(html.codePointAt(at)) ? at + Character.charCount(html.codePointAt(at)) : -1;
            };
            if (next < 0) {
                return false;
            }
            at = next;
        }
        return true;
    }

    /** The position after a tag, comment or hidden element; -1 when it shows something or does not end. */
    private static int afterTag(String html, int start) {
        if (html.startsWith("<!--", start)) {
            int end = html.indexOf("-->", start + 4);
            return end < 0 ? -1 : end + 3;
        }
        int end = html.indexOf('>', start);
        String name = end < 0 ? "" : name(html, start + 1);
        if (name.isEmpty() || SHOWN.contains(name)) {
            return -1;
        }
        if (!HIDDEN.contains(name)) {
            return end + 1;
        }
        int close = html.indexOf("</", end);
        while (close >= 0 && !name(html, close + 2).equals(name)) {
            close = html.indexOf("</", close + 2);
        }
        int closed = close < 0 ? -1 : html.indexOf('>', close);
        return closed < 0 ? -1 : closed + 1;
    }

    /** The name of a tag in lower case; of an end tag or a declaration with its first character. */
    private static String name(String html, int from) {
        int end = from;
        while (end < html.length() && "> \t\r\n\f".indexOf(html.charAt(end)) < 0 && end - from < 16) {
            if (html.charAt(end) == '/' && end > from) {
                break;
            }
            end++;
        }
        return html.substring(from, end).toLowerCase(Locale.ROOT);
    }

    private static int afterReference(String html, int start) {
        int end = html.indexOf(';', start);
        boolean isBlank = end > 0
                && end - start < LONGEST_REFERENCE
                && BLANK_REFERENCES.contains(html.substring(start, end + 1).toLowerCase(Locale.ROOT));
        return isBlank ? end + 1 : -1;
    }

    /** Whether a reader would see nothing of a character. */
    public static boolean isUnseen(int c) {
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
}
