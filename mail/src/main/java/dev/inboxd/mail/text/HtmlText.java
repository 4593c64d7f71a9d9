package dev.inboxd.mail.text;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.Concealment;
import dev.inboxd.mail.html.ShownHtml;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * Renders HTML mail as plain text, what a person sees of it: blocks become lines, lists get dashes, links keep their
 * words.
 */
public final class HtmlText {
    /** What is shown as something else than lines of text. */
    private static final Set<String> NO_LINES = Set.of("svg", "math", "object", "select");

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
        return render(ShownHtml.of(html));
    }

    /** Renders HTML that was read already, as {@link #render(String)} does. */
    public static String render(ShownHtml html) {
        var text = new StringBuilder();
        for (var line : lines(html)) {
            text.append(text.isEmpty() ? "" : "\n").append(line.text());
        }
        return text.toString();
    }

    /** The same, line by line; neither the first nor the last is empty. */
    public static List<HtmlLine> lines(ShownHtml html) {
        var renderer = new Renderer();
        html.visit(renderer);
        return renderer.lines();
    }

    private static final class Renderer implements ShownHtml.Visitor {
        private final List<HtmlLine> lines = new ArrayList<>();
        private final StringBuilder line = new StringBuilder();
        private @Nullable TextNode start;
        private int startOffset;
        /** Line breaks pending before the next word; a pending space counts as none. */
        private int breaks;

        private boolean space;

        @Override
        public boolean open(Element element, Appearance look) {
            if (look.isGone() || NO_LINES.contains(element.normalName())) {
                return false;
            }
            begin(element, look);
            return true;
        }

        @Override
        public void text(TextNode words, Appearance look) {
            Concealment hidden = look.concealment();
            if (hidden == null) {
                append(words);
            } else {
                space |= takesRoom(hidden) || hasSpace(words.getWholeText());
            }
        }

        private static boolean takesRoom(Concealment hidden) {
            return hidden == Concealment.SAME_COLOR || hidden == Concealment.SEE_THROUGH;
        }

        private static boolean hasSpace(String words) {
            return words.chars().anyMatch(c -> c <= ' ' || c == '\u00A0');
        }

        @Override
        public void close(Element element, Appearance look) {
            if (isBlock(element)) {
                breakLine(PARAGRAPHS.contains(element.normalName()) ? 2 : 1);
            } else if (isCell(element)) {
                space = true;
            }
        }

        List<HtmlLine> lines() {
            endLine();
            return lines;
        }

        private void begin(Element element, Appearance look) {
            switch (element.normalName()) {
                case "br" -> breaks = line.isEmpty() ? 0 : Math.min(2, breaks + 1);
                case "li" -> {
                    breakLine(1);
                    if (look.isShown()) {
                        word("-", null, 0);
                        space = true;
                    }
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
