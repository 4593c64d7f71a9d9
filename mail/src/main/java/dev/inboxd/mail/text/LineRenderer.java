package dev.inboxd.mail.text;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.Concealment;
import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.html.WhiteSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/** Collects the lines that a person sees of HTML. */
public final class LineRenderer implements ShownHtml.Visitor {
    /** What is shown as something else than lines of text. */
    private static final Set<String> NO_LINES = Set.of("svg", "math", "object", "select");

    private static final Set<String> PARAGRAPHS =
            Set.of("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "pre", "table");

    /** Empty lines of preformatted text beyond these, one after another, are left out. */
    private static final int MOST_EMPTY_LINES = 50;

    private final int most;
    private final List<HtmlLine> lines = new ArrayList<>();
    private final StringBuilder line = new StringBuilder();
    private final PictureWords said = new PictureWords();
    private @Nullable Node start;
    private int startOffset;
    /** Line breaks pending before the next word, of elements; a pending space counts as none. */
    private int breaks;
    /** Line breaks of preformatted text since the last word. */
    private int newlines;
    /** Blanks of preformatted text since the last word or line break. */
    private final StringBuilder blanks = new StringBuilder();

    private boolean space;
    private int links;
    /** Where the last line stands that is one picture, and what it says; null when the last line is no such one. */
    private int pictureLine;

    private @Nullable String pictureWords;

    /** @param most how many lines are collected: the first ones */
    public LineRenderer(int most) {
        this.most = most;
    }

    @Override
    public boolean open(Element element, Appearance appearance) {
        if (appearance.isGone() || NO_LINES.contains(element.normalName())) {
            return false;
        }
        begin(element, appearance);
        return true;
    }

    @Override
    public void text(TextNode words, Appearance appearance) {
        Concealment hidden = appearance.concealment();
        if (hidden == null) {
            append(words, appearance.whiteSpace());
        } else {
            space |= takesRoom(hidden) || hasSpace(words.getWholeText());
        }
    }

    private static boolean takesRoom(Concealment hidden) {
        return hidden == Concealment.SAME_COLOR || hidden == Concealment.SEE_THROUGH;
    }

    private static boolean hasSpace(String words) {
        for (int i = 0; i < words.length(); i++) {
            if (isSpace(words.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSpace(int c) {
        return c <= ' ' || c == '\u00A0';
    }

    @Override
    public void close(Element element, Appearance appearance) {
        if (isLink(element)) {
            links--;
        }
        if (isBlock(element)) {
            breakLine(PARAGRAPHS.contains(element.normalName()) ? 2 : 1);
        } else if (isCell(element)) {
            space = true;
        }
    }

    /** The lines, when everything was visited; neither the first nor the last is empty. */
    public List<HtmlLine> lines() {
        endLine();
        return lines;
    }

    private void begin(Element element, Appearance appearance) {
        links += isLink(element) ? 1 : 0;
        switch (element.normalName()) {
            case "br" -> {
                breaks = line.isEmpty() ? 0 : Math.min(2, breaks + 1);
                blanks.setLength(0);
            }
            case "li" -> {
                breakLine(1);
                if (appearance.isShown()) {
                    word("-", null, 0);
                    space = true;
                }
            }
            case "img", "input" -> picture(element, appearance);
            default -> {
                if (isBlock(element)) {
                    breakLine(PARAGRAPHS.contains(element.normalName()) ? 2 : 1);
                }
            }
        }
    }

    private static boolean isLink(Element element) {
        return element.nameIs("button") || (element.nameIs("a") && element.hasAttr("href"));
    }

    private static boolean isBlock(Element element) {
        return element.tag().isBlock() && !isCell(element);
    }

    private static boolean isCell(Element element) {
        return element.nameIs("td") || element.nameIs("th");
    }

    private void breakLine(int count) {
        breaks = line.isEmpty() ? 0 : Math.max(breaks, count);
        blanks.setLength(0);
    }

    private void picture(Element element, Appearance appearance) {
        String words = PictureWords.of(element, appearance);
        if (words == null) {
            return;
        }
        boolean bare = links > 0 || PictureWords.isButton(element);
        String shown = bare ? words : "[" + words + "]";
        space |= bare;
        word(shown, element, 0);
        space = bare;
        said.add(line.length() - shown.length(), shown, words);
    }

    private void append(TextNode node, WhiteSpace whiteSpace) {
        var words = node.getWholeText();
        int first = -1;
        for (int i = 0; i <= words.length(); i++) {
            char c = i < words.length() ? words.charAt(i) : ' ';
            if (!isSpace(c)) {
                first = first < 0 ? i : first;
                continue;
            }
            if (first >= 0) {
                word(words.substring(first, i), node, first);
                first = -1;
            }
            if (i < words.length()) {
                blank(c, whiteSpace);
            }
        }
    }

    private void blank(char c, WhiteSpace whiteSpace) {
        if (c == '\n' && whiteSpace != WhiteSpace.COLLAPSED) {
            newlines = line.isEmpty() ? 0 : Math.min(MOST_EMPTY_LINES + 1, newlines + 1);
            blanks.setLength(0);
            space = false;
        } else if (whiteSpace != WhiteSpace.PRESERVED) {
            space = true;
        } else if (c != '\r') {
            blanks.append(c == '\t' ? '\t' : ' ');
        }
    }

    private void word(String word, @Nullable Node node, int offset) {
        if (breaks > 0 || newlines > 0) {
            endLine();
            for (int i = Math.max(breaks, newlines); i > 1 && lines.size() < most; i--) {
                lines.add(HtmlLine.EMPTY);
            }
        } else if (space && !line.isEmpty()) {
            line.append(' ');
        }
        line.append(blanks);
        breaks = 0;
        newlines = 0;
        blanks.setLength(0);
        space = false;
        if (start == null) {
            start = node;
            startOffset = offset;
        }
        line.append(word);
    }

    private void endLine() {
        String only = said.all(line);
        said.removeRepeated(line);
        if (line.isEmpty()) {
            return;
        }
        if (only == null && pictureWords != null && isSame(line.toString(), pictureWords)) {
            lines.subList(pictureLine, lines.size()).clear(); // the line below says it
        }
        if (lines.size() < most && (only == null || !isSaidAbove(only))) {
            pictureLine = lines.size();
            pictureWords = only;
            lines.add(new HtmlLine(line.toString(), start, startOffset));
        }
        line.setLength(0);
        start = null;
    }

    private boolean isSaidAbove(String words) {
        for (int i = lines.size() - 1; i >= 0 && i > lines.size() - 3; i--) {
            if (lines.get(i).node() != null) {
                return isSame(lines.get(i).text(), words);
            }
        }
        return false;
    }

    private static boolean isSame(String line, String words) {
        return line.length() <= words.length() + 4 && PictureWords.says(line, words);
    }
}
