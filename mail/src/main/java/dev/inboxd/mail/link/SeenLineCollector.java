package dev.inboxd.mail.link;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.html.WhiteSpace;
import dev.inboxd.mail.text.BlankText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/** Collects the lines of HTML. */
final class SeenLineCollector implements ShownHtml.Visitor {
    private static final Set<String> NO_LINES = Set.of("svg", "math", "object", "select");

    private final List<SeenLine> lines = new ArrayList<>();
    private final StringBuilder line = new StringBuilder();
    /** The links of the line, and where each begins and ends. */
    private final List<SeenLink> links = new ArrayList<>();

    private final List<int[]> linked = new ArrayList<>();
    private final LinkWords words = new LinkWords();
    private @Nullable Element link;
    private int linkStart;
    private int quotes;
    private boolean quoted;
    private boolean space;
    private boolean cell;

    @Override
    public boolean open(Element element, Appearance appearance) {
        String name = element.normalName();
        boolean isLink = name.equals("a") && element.hasAttr("href");
        if (appearance.isGone() || (NO_LINES.contains(name) && link == null)) {
            return false;
        }
        if (isLink) {
            endLink();
            link = element;
            linkStart = -1;
        }
        if (link != null) {
            words.open(element, appearance);
            if (NO_LINES.contains(name)) {
                return false;
            }
        }
        quotes += isQuotation(element) ? 1 : 0;
        if (isBreak(element)) {
            endLine();
        } else if (isCell(element)) {
            cell = !line.isEmpty();
        }
        return true;
    }

    @Override
    public void text(TextNode text, Appearance appearance) {
        if (!appearance.isShown()) {
            space = true;
            return;
        }
        String shown = text.getWholeText();
        if (link != null) {
            words.text(shown);
        }
        boolean preserved = appearance.whiteSpace() != WhiteSpace.COLLAPSED;
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            if (c == '\n' && preserved) {
                endLine();
            } else if (c <= ' ' || c == '\u00A0') {
                space = true;
            } else {
                append(c);
            }
        }
    }

    @Override
    public void close(Element element, Appearance appearance) {
        if (element.equals(link)) {
            endLink();
        }
        quotes -= isQuotation(element) ? 1 : 0;
        if (isBreak(element)) {
            endLine();
        } else if (isCell(element)) {
            cell = !line.isEmpty();
        }
    }

    List<SeenLine> lines() {
        endLink();
        endLine();
        return lines;
    }

    private void append(char c) {
        if (line.length() > SeenLink.LONGEST_URL) {
            return;
        }
        if (!line.isEmpty() && (cell || space)) {
            line.append(cell ? '\t' : ' ');
        }
        if (link != null && linkStart < 0) {
            linkStart = line.length();
        }
        quoted = line.isEmpty() ? quotes > 0 : quoted;
        cell = false;
        space = false;
        line.append(c);
    }

    private void endLine() {
        if (link != null && linkStart >= 0) {
            addLink();
            linkStart = 0;
        }
        cell = false;
        space = false;
        if (line.isEmpty() && links.isEmpty()) {
            return;
        }
        String text = line.toString();
        for (SeenLink written : WrittenLinks.in(text)) {
            if (linked.stream().noneMatch(range -> written.start() < range[1] && range[0] < written.end())) {
                links.add(written);
            }
        }
        links.sort(Comparator.comparingInt(SeenLink::start));
        lines.add(new SeenLine(SeenLines.shortened(text), quoted, links));
        line.setLength(0);
        links.clear();
        linked.clear();
    }

    /** Notes where the link stands in the line; its words may go on in the next one. */
    private void addLink() {
        linked.add(new int[] {linkStart, line.length()});
    }

    private void endLink() {
        if (link == null) {
            return;
        }
        String url = link.attr("href").strip();
        if (linkStart >= 0) {
            addLink();
        }
        if (words.areSeen() && SeenLink.isWeb(url)) {
            int start = linkStart < 0 ? line.length() : linkStart;
            links.add(new SeenLink(url, words.shown(), start, line.length()));
        }
        words.clear();
        link = null;
    }

    /** A cell goes on in its row; what HTML makes a block begins a line. */
    private static boolean isBreak(Element element) {
        return element.nameIs("br") || (element.tag().isBlock() && !isCell(element));
    }

    private static boolean isCell(Element element) {
        return element.nameIs("td") || element.nameIs("th");
    }

    private static boolean isQuotation(Element element) {
        return (element.nameIs("blockquote")
                        && (element.attr("type").equalsIgnoreCase("cite") || element.hasAttr("cite")))
                || element.hasClass("gmail_quote");
    }

    /** The words of the link that is open. */
    private static final class LinkWords {
        private final StringBuilder words = new StringBuilder();
        private String picture = "";
        private boolean visible;

        void open(Element element, Appearance appearance) {
            if (!appearance.isShown()) {
                return;
            }
            boolean pictured = isPicture(element);
            visible |= pictured || appearance.hasGround();
            picture = picture.isEmpty() && pictured ? element.attr("alt") : picture;
            if (!words.isEmpty() && (isBreak(element) || isCell(element))) {
                words.append(' ');
            }
        }

        void text(String shown) {
            visible |= !BlankText.isBlank(shown);
            if (words.length() < SeenLink.LONGEST_WORDS) {
                words.append(shown, 0, Math.min(shown.length(), SeenLink.LONGEST_WORDS));
            }
        }

        boolean areSeen() {
            return visible;
        }

        String shown() {
            String own = inOneLine(words);
            return own.isEmpty() ? inOneLine(picture) : own;
        }

        void clear() {
            words.setLength(0);
            picture = "";
            visible = false;
        }

        private static String inOneLine(CharSequence text) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < text.length() && line.length() < SeenLink.LONGEST_WORDS; i++) {
                char c = text.charAt(i);
                if (c > ' ' && c != '\u00A0') {
                    line.append(c);
                } else if (!line.isEmpty() && line.charAt(line.length() - 1) != ' ') {
                    line.append(' ');
                }
            }
            return line.toString().strip();
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
    }
}
