package dev.inboxd.mail.html;

import java.util.Set;
import org.jsoup.nodes.Element;

/** What elements are by themselves (HTML, "Rendering"). */
final class HtmlElements {
    /** Those that no program shows, or whose content only programs without them show. */
    private static final Set<String> UNSHOWN = Set.of(
            "head",
            "title",
            "style",
            "script",
            "template",
            "datalist",
            "noframes",
            "noembed",
            "iframe",
            "area",
            "param",
            "rp");

    /** Boxes to which a height or width applies without a display of their own. */
    private static final Set<String> BOXES = Set.of(
            "address",
            "article",
            "aside",
            "blockquote",
            "center",
            "dd",
            "details",
            "dir",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hgroup",
            "li",
            "main",
            "menu",
            "nav",
            "ol",
            "p",
            "pre",
            "section",
            "summary",
            "ul");

    private HtmlElements() {}

    static boolean isUnshown(Element element) {
        return UNSHOWN.contains(element.normalName());
    }

    static boolean isBox(Element element) {
        return BOXES.contains(element.normalName());
    }
}
