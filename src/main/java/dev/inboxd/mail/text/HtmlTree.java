package dev.inboxd.mail.text;

import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;

/** Parses HTML of any quality, within limits that apply while reading. */
public final class HtmlTree {
    static final int MAX_DEPTH = 512;
    static final int MAX_NODES = 50_000;

    private HtmlTree() {}

    /** The document; depth beyond 512 and elements beyond 50,000 are left out. */
    public static Document parse(String html) {
        try (var parser = new StreamParser(Parser.htmlParser().setMaxDepth(MAX_DEPTH))) {
            parser.parse(html.substring(0, endOfTags(html)), "");
            // The parser reopens unclosed formatting in every paragraph: a few tags can create many elements, so they
            // are counted as they are created.
            var elements = parser.iterator();
            for (int i = 0; i < MAX_NODES && elements.hasNext(); i++) {
                elements.next();
            }
            return parser.document();
        }
    }

    private static int endOfTags(String html) {
        int end = html.indexOf('<');
        for (int tags = 0; end >= 0 && tags < MAX_NODES; tags++) {
            end = html.indexOf('<', end + 1);
        }
        return end < 0 ? html.length() : end;
    }
}
