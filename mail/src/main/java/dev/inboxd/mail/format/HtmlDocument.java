package dev.inboxd.mail.format;

/** An HTML document that was sent as plain text (ruling 135). */
public final class HtmlDocument {
    private static final String DOCTYPE = "<!doctype html";
    private static final String ELEMENT = "<html";
    /** A declaration of XML and comments before the document have at most so many characters. */
    private static final int LONGEST_PROLOG = 4 * 1024;

    private HtmlDocument() {}

    /**
     * Whether a text begins as an HTML document: with its doctype or its root element, followed by markup. White space,
     * an XML declaration and comments may stand before it. A sentence that begins with such a tag is none.
     */
    public static boolean isAtStart(String text) {
        int start = behindProlog(text);
        boolean isDoctype = text.regionMatches(true, start, DOCTYPE, 0, DOCTYPE.length());
        if (!isDoctype && !isElement(text, start)) {
            return false;
        }
        int end = text.indexOf('>', start);
        int next = end < 0 ? text.length() : behindProlog(text, end + 1);
        boolean isMarkup = next + 1 < text.length()
                && text.charAt(next) == '<'
                && (Character.isLetter(text.charAt(next + 1)) || text.charAt(next + 1) == '!');
        return isMarkup ? text.indexOf("</", next) > 0 : hasEnd(text, next);
    }

    private static boolean isElement(String text, int start) {
        int behind = start + ELEMENT.length();
        return text.regionMatches(true, start, ELEMENT, 0, ELEMENT.length())
                && behind < text.length()
                && (text.charAt(behind) == '>' || Character.isWhitespace(text.charAt(behind)));
    }

    private static boolean hasEnd(String text, int from) {
        for (int at = text.indexOf("</", from); at >= 0; at = text.indexOf("</", at + 2)) {
            if (text.regionMatches(true, at + 2, "html>", 0, 5) || text.regionMatches(true, at + 2, "body>", 0, 5)) {
                return true;
            }
        }
        return false;
    }

    private static int behindProlog(String text) {
        return behindProlog(text, 0);
    }

    private static int behindProlog(String text, int from) {
        int at = from;
        while (at < text.length() && at - from < LONGEST_PROLOG) {
            char c = text.charAt(at);
            int end;
            if (Character.isWhitespace(c) || c == '\uFEFF') {
                end = at + 1;
            } else if (text.startsWith("<?xml", at)) {
                end = text.indexOf("?>", at) + 2;
            } else if (text.startsWith("<!--", at)) {
                end = text.indexOf("-->", at + 4) + 3;
            } else {
                return at;
            }
            if (end <= at) {
                return at;
            }
            at = end;
        }
        return at;
    }
}
