package dev.inboxd.mail.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;
import org.jspecify.annotations.Nullable;

/** Renders HTML mail as plain text: blocks become lines, lists get dashes, links keep their words. */
public final class HtmlText {
    private static final Set<String> UNSEEN = Set.of(
            "head", "style", "script", "title", "noscript", "template", "svg", "math", "object", "iframe", "select");
    private static final Set<String> PARAGRAPHS =
            Set.of("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "pre", "table");

    private HtmlText() {}

    /**
     * Renders HTML. Depth beyond 512 and nodes beyond 50,000 are left out.
     *
     * @param html of any quality
     * @return lines without trailing spaces, at most one empty line between them; empty when nothing is visible
     */
    public static String render(String html) {
        return render(HtmlTree.parse(html));
    }

    /** Renders a document that was parsed within limits. */
    public static String render(Document document) {
        var text = new StringBuilder();
        for (var line : lines(document)) {
            text.append(text.isEmpty() ? "" : "\n").append(line.text());
        }
        return text.toString();
    }

    /** The same, line by line; neither the first nor the last is empty. */
    public static List<HtmlLine> lines(Document document) {
        var renderer = new Renderer();
        document.body().filter(renderer);
        return renderer.lines();
    }

    private static final class Renderer implements NodeFilter {
        private final List<HtmlLine> lines = new ArrayList<>();
        private final StringBuilder line = new StringBuilder();
        private @Nullable TextNode start;
        private int startOffset;
        private int nodes;
        /** Line breaks pending before the next word; a pending space counts as none. */
        private int breaks;

        private boolean space;

        @Override
        public FilterResult head(Node node, int depth) {
            if (++nodes > HtmlTree.MAX_NODES) {
                return FilterResult.STOP;
            }
            if (node instanceof TextNode words) {
                append(words);
            } else if (node instanceof Element element) {
                if (UNSEEN.contains(element.normalName()) || depth > HtmlTree.MAX_DEPTH) {
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

        List<HtmlLine> lines() {
            endLine();
            return lines;
        }

        private void open(Element element) {
            switch (element.normalName()) {
                case "br" -> breaks = line.isEmpty() ? 0 : Math.min(2, breaks + 1);
                case "li" -> {
                    breakLine(1);
                    word("-", null, 0);
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
            breaks = line.isEmpty() ? 0 : Math.max(breaks, count);
        }

        private void append(TextNode node) {
            var words = node.getWholeText();
            boolean preformatted = node.parentNameIs("pre");
            int first = -1;
            for (int i = 0; i <= words.length(); i++) {
                char c = i < words.length() ? words.charAt(i) : ' ';
                boolean isSpace = c <= ' ' || c == '\u00A0';
                if (!isSpace) {
                    first = first < 0 ? i : first;
                } else {
                    if (first >= 0) {
                        word(words.substring(first, i), node, first);
                        first = -1;
                    }
                    space |= i < words.length();
                    if (preformatted && c == '\n') {
                        breaks = Math.min(2, breaks + 1);
                    }
                }
            }
        }

        private void word(String word, @Nullable TextNode node, int offset) {
            if (breaks > 0) {
                endLine();
                if (breaks > 1) {
                    lines.add(new HtmlLine("", null, 0));
                }
            } else if (space && !line.isEmpty()) {
                line.append(' ');
            }
            breaks = 0;
            space = false;
            if (start == null) {
                start = node;
                startOffset = offset;
            }
            line.append(word);
        }

        private void endLine() {
            if (!line.isEmpty()) {
                lines.add(new HtmlLine(line.toString(), start, startOffset));
                line.setLength(0);
                start = null;
            }
        }
    }
}
