package dev.inboxd.mail.html;

import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;

/**
 * HTML of any quality, parsed within limits that apply while reading: depth beyond 512 is flattened, elements beyond
 * 50,000 are left out, and those behind attributes that are copied without end.
 *
 * @param isWhole whether nothing was left out
 */
public record HtmlTree(Document document, boolean isWhole) {
    static final int MAX_DEPTH = 512;
    static final int MAX_NODES = 50_000;
    /** So many characters of attributes besides four times those of the HTML. */
    private static final int ATTRIBUTES = 1 << 20;

    /** The document alone. */
    public static Document parse(String html) {
        return of(html, MAX_NODES).document;
    }

    static HtmlTree of(String html, int most) {
        int end = endOfTags(html, most);
        try (var parser = new StreamParser(Parser.htmlParser().setMaxDepth(MAX_DEPTH))) {
            parser.parse(html.substring(0, end), "");
            // The parser reopens unclosed formatting in every paragraph: a few tags can create many elements, and copy
            // a long attribute into each, so they are counted as they are created.
            long attributes = ATTRIBUTES + 4L * html.length();
            var elements = parser.iterator();
            for (int i = 0; i < most && attributes >= 0 && elements.hasNext(); i++) {
                Element element = elements.next();
                if (element.attributesSize() > 0) {
                    for (Attribute attribute : element.attributes()) {
                        attributes -= attribute.getValue().length();
                    }
                }
            }
            return new HtmlTree(parser.document(), end == html.length() && !elements.hasNext());
        }
    }

    private static int endOfTags(String html, int most) {
        int end = html.indexOf('<');
        for (int tags = 0; end >= 0 && tags < most; tags++) {
            end = html.indexOf('<', end + 1);
        }
        return end < 0 ? html.length() : end;
    }
}
