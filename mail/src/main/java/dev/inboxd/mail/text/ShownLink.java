package dev.inboxd.mail.text;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.ShownHtml;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * A link of HTML that a person sees.
 *
 * @param target as it is written, without spaces around it
 * @param words those that are shown, else those of its first picture; at most about 300 characters
 */
record ShownLink(String target, String words) {
    private static final int LONGEST_WORDS = 300;

    /** The links of HTML in their order. One of which nothing is shown, neither words nor a picture, is none. */
    static List<ShownLink> in(ShownHtml html) {
        Finder finder = new Finder();
        html.visit(finder);
        finder.end();
        return finder.links;
    }

    private static final class Finder implements ShownHtml.Visitor {
        private final List<ShownLink> links = new ArrayList<>();
        private final StringBuilder words = new StringBuilder();
        private @Nullable Element link;
        private String picture = "";
        private boolean seen;

        @Override
        public boolean open(Element element, Appearance look) {
            if (look.isGone()) {
                return false;
            }
            if (element.nameIs("a") && element.hasAttr("href")) {
                end();
                link = element;
            }
            if (link != null && look.isShown()) {
                boolean pictured = isPicture(element);
                seen |= pictured || look.hasGround();
                picture = picture.isEmpty() && pictured ? element.attr("alt") : picture;
            }
            return true;
        }

        /** A picture, but one of a single point. */
        private static boolean isPicture(Element element) {
            return switch (element.normalName()) {
                case "img", "svg", "input", "button", "video", "object", "canvas" ->
                    !isPoint(element.attr("width")) && !isPoint(element.attr("height"));
                default -> false;
            };
        }

        private static boolean isPoint(String length) {
            String bare = length.strip();
            return bare.equals("0") || bare.equals("1") || bare.equals("0px") || bare.equals("1px");
        }

        @Override
        public void text(TextNode text, Appearance look) {
            if (link == null || !look.isShown()) {
                return;
            }
            String shown = text.getWholeText();
            if (!BlankText.isBlank(shown)) {
                seen = true;
            }
            if (words.length() < LONGEST_WORDS) {
                words.append(shown, 0, Math.min(shown.length(), LONGEST_WORDS));
            }
        }

        @Override
        public void close(Element element, Appearance look) {
            if (element.equals(link)) {
                end();
            }
        }

        void end() {
            if (link != null && seen) {
                String shown = words.toString().strip();
                links.add(new ShownLink(link.attr("href").strip(), shown.isEmpty() ? picture : shown));
            }
            link = null;
            seen = false;
            picture = "";
            words.setLength(0);
        }
    }
}
