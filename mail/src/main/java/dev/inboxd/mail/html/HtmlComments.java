package dev.inboxd.mail.html;

import java.util.Locale;
import org.jsoup.parser.Parser;

/** The words of comments, and of HTML whose tree is not wanted. */
public final class HtmlComments {
    private HtmlComments() {}

    /**
     * The words of a comment. One for a certain program, such as {@code [if mso]}, has HTML in it, of which the words
     * between its tags are meant.
     */
    public static String words(String comment) {
        String text = comment.strip();
        String start = text.substring(0, Math.min(text.length(), 8)).toLowerCase(Locale.ROOT);
        if (start.startsWith("[endif") || start.startsWith("<![endif") || start.startsWith("doctype")) {
            return "";
        }
        boolean conditional = start.startsWith("[if") || start.startsWith("<![if") || start.startsWith("<!");
        return conditional ? withoutTags(text.substring(text.indexOf('>') + 1)) : text;
    }

    /** The words between tags, without those of style sheets. */
    public static String withoutTags(String html) {
        StringBuilder words = new StringBuilder();
        for (int at = 0; at < html.length(); ) {
            int tag = html.indexOf('<', at);
            int end = tag < 0 ? html.length() : tag;
            words.append(html, at, end).append(' ');
            boolean sheet = html.regionMatches(true, end, "<style", 0, 6);
            int from = sheet ? html.indexOf("</", end + 2) : end;
            int close = from < 0 ? -1 : html.indexOf('>', from);
            at = close < 0 ? html.length() : close + 1;
        }
        return Parser.unescapeEntities(words.toString(), false).strip();
    }
}
