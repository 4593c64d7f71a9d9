package dev.inboxd.mail.text;

import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;
import org.jsoup.select.NodeFilter;

/** HTML mail as plain text: blocks become lines, lists get dashes, links keep their words. */
public final class HtmlText {
    private static final int MAX_DEPTH = 512;
    private static final int MAX_NODES = 50_000;
    private static final Set<String> UNSEEN = Set.of(
            "head", "style", "script", "title", "noscript", "template", "svg", "math", "object", "iframe", "select");
    private static final Set<String> PARAGRAPHS = Set.of(
            "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "pre", "table");

    private HtmlText() {}

    /**
     * Renders HTML. Depth beyond 512 and nodes beyond 50,000 are left out.
     *
     * @param html of any quality
     * @return lines without trailing spaces, at most one empty line between them; empty when nothing is to be seen
     */
    public static String render(String html) {
        var renderer = new Renderer();
        try (var parser = new StreamParser(Parser.htmlParser().setMaxDepth(MAX_DEPTH))) {
            parser.parse(html.substring(0, endOfTags(html)), "");
            // Unclosed formatting is opened again in every paragraph: few tags can make many elements, so count as
            // they come.
            var elements = parser.iterator();
            for (int i = 0; i < MAX_NODES && elements.hasNext(); i++) {
                elements.next();
            }
            parser.document().body().filter(renderer);
        }
        return renderer.text();
    }

    private static int endOfTags(String html) {
        int end = html.indexOf('<');
        for (int tags = 0; end >= 0 && tags < MAX_NODES; tags++) {
            end = html.indexOf('<', end + 1);
        }
        return end < 0 ? html.length() : end;
    }

    private static final class Renderer implements NodeFilter {
        private final StringBuilder text = new StringBuilder();
        private int nodes;
        /** Line breaks owed before the next word; a space owed counts as none. */
        private int breaks;
        private boolean space;

        @Override
        public FilterResult head(Node node, int depth) {
            if (++nodes > MAX_NODES) {
                return FilterResult.STOP;
            }
            if (node instanceof TextNode words) {
                append(words);
            } else if (node instanceof Element element) {
                if (UNSEEN.contains(element.normalName()) || depth > MAX_DEPTH) {
                    return FilterResult.SKIP_ENTIRELY;
                }
                open(element);
            }
            return FilterResult.CONTINUE;
        }

        @Override
        public FilterResult tail(Node node, int depth) {
            if (node instanceof Element element && isBlock(element)) {
                breakLine(PARAGRAPHS.contains(element.normalName()) ? 2 : 1);
            } else if (node instanceof Element element && isCell(element)) {
                space = true;
            }
            return FilterResult.CONTINUE;
        }

        String text() {
            return text.toString();
        }

        private void open(Element element) {
            switch (element.normalName()) {
                case "br" -> breaks = text.isEmpty() ? 0 : Math.min(2, breaks + 1);
                case "li" -> {
                    breakLine(1);
                    word("-");
                    space = true;
                }
                default -> {
                    if (isBlock(element)) {
                        breakLine(PARAGRAPHS.contains(element.normalName()) ? 2 : 1);
                    }
                }
            }
        }

        private static boolean isBlock(Element element) {
            return element.tag().isBlock() && !isCell(element);
        }

        private static boolean isCell(Element element) {
            return element.nameIs("td") || element.nameIs("th");
        }

        private void breakLine(int count) {
            breaks = text.isEmpty() ? 0 : Math.max(breaks, count);
        }

        private void append(TextNode node) {
            var words = node.getWholeText();
            boolean preformatted = node.parentNameIs("pre");
            int start = -1;
            for (int i = 0; i <= words.length(); i++) {
                char c = i < words.length() ? words.charAt(i) : ' ';
                boolean isSpace = c <= ' ' || c == '\u00A0';
                if (!isSpace) {
                    start = start < 0 ? i : start;
                } else {
                    if (start >= 0) {
                        word(words.substring(start, i));
                        start = -1;
                    }
                    space |= i < words.length();
                    if (preformatted && c == '\n') {
                        breaks = Math.min(2, breaks + 1);
                    }
                }
            }
        }

        private void word(String word) {
            if (breaks > 0) {
                text.append("\n".repeat(breaks));
            } else if (space && !text.isEmpty()) {
                text.append(' ');
            }
            breaks = 0;
            space = false;
            text.append(word);
        }
    }
}
