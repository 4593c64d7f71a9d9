package dev.inboxd.mail.html;

import java.util.Set;
import org.jsoup.nodes.Element;

/** What elements are by themselves (HTML, "Rendering"). */
final class HtmlElements {
    /** Those that no program shows, or whose content only programs without them show. */
    private static final Set<String> UNSHOWN =
            Set.of("head title style script template datalist noframes noembed iframe area param rp".split(" "));

    /** Boxes to which a height or width applies without a display of their own. */
    private static final Set<String> BOXES =
            Set.of(("address article aside blockquote center dd details dir div dl dt fieldset "
                            + "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main menu nav "
                            + "ol p pre section summary ul")
                    .split(" "));

    /** Those whose content is for programs that do not show the element itself, or that show it when asked. */
    private static final Set<String> INSTEAD =
            Set.of("noscript", "audio", "video", "canvas", "object", "applet", "progress", "meter", "annotation");

    /** Those of drawings that are never drawn. */
    private static final Set<String> UNDRAWN =
            Set.of("desc", "metadata", "defs", "symbol", "clippath", "mask", "pattern", "lineargradient");

    private HtmlElements() {}

    static boolean isUnshown(Element element) {
        return UNSHOWN.contains(element.normalName());
    }

    /** Whether some programs do not show its content. */
    static boolean isSuspicious(Element element) {
        return INSTEAD.contains(element.normalName())
                || UNDRAWN.contains(element.normalName())
                || element.hasAttr("popover")
                || "true".equalsIgnoreCase(element.attr("aria-hidden"));
    }

    /** Whether it is a heading or the head of a column. */
    static boolean isHead(Element element) {
        return switch (element.normalName()) {
            case "th", "h1", "h2", "h3", "h4", "h5", "h6" -> true;
            default -> false;
        };
    }

    static boolean isBox(Element element) {
        return BOXES.contains(element.normalName());
    }
}
