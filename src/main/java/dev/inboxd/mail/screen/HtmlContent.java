package dev.inboxd.mail.screen;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of HTML as a person sees it, and apart what a person does not see: hidden elements, comments, attributes. A
 * scanner, not a parser; each character is looked at a bounded number of times.
 */
final class HtmlContent implements HtmlScanner.Receiver {
    private static final int MAX_DEPTH = 512;
    private static final int MAX_LOOK = 32;
    private static final int LONG_DATA = 16;
    private static final Set<String> VOID = Set.of(
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr");
    private static final Set<String> BLOCKS = Set.of(
            "p",
            "div",
            "tr",
            "table",
            "li",
            "ul",
            "ol",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "blockquote",
            "pre",
            "section",
            "article",
            "header",
            "footer",
            "center",
            "dd",
            "dt",
            "hr",
            "br",
            "form",
            "title");
    private static final Set<String> CLOSED_BY_NEXT = Set.of("p", "li", "tr", "td", "th", "dd", "dt", "option");
    private static final Set<String> UNSEEN = Set.of("title", "noscript", "template", "script", "noframes", "datalist");
    private static final Set<String> TOLD =
            Set.of("alt", "title", "aria-label", "aria-description", "placeholder", "value", "summary", "content");

    private final StringBuilder visible = new StringBuilder();
    private final StringBuilder hidden = new StringBuilder();
    private final StringBuilder attributes = new StringBuilder();
    private final StyleSheet sheet = new StyleSheet();
    private final Deque<Open> open = new ArrayDeque<>();
    private final LinkCheck links = new LinkCheck();
    private final Passages passages = new Passages();
    private int quotes;
    private int beyond;
    private boolean wasHidden;

    private record Open(String name, Style style) {}

    private HtmlContent() {}

    static HtmlContent of(String html) {
        HtmlContent content = new HtmlContent();
        new HtmlScanner(html, content).read();
        return content;
    }

    /** The text that a person sees; lines of quoted elements begin with {@code >}. */
    String visible() {
        return visible.toString();
    }

    /** Hidden elements and comments. */
    String hidden() {
        return hidden.toString();
    }

    String attributes() {
        return attributes.toString();
    }

    /** Hidden elements and comments, each with how it is hidden. */
    List<HiddenText.Passage> passages() {
        return passages.all();
    }

    LinkCheck links() {
        return links;
    }

    @Override
    public void text(CharSequence text) {
        Style style = style();
        boolean hides = style.hides();
        StringBuilder to = hides ? hidden : visible;
        if (hides && !wasHidden) {
            hidden.append(' ');
        }
        wasHidden = hides;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > ' ') {
                to.append(c);
            } else if (!to.isEmpty() && to.charAt(to.length() - 1) > ' ') {
                to.append(' ');
            }
        }
        if (hides) {
            passages.add(style.hiding(), text);
        } else {
            passages.gap();
            links.text(text);
        }
    }

    @Override
    public void comment(String comment) {
        if (!comment.startsWith("[if") && !comment.startsWith("<![")) {
            hidden.append('\n').append(comment).append('\n');
        }
        passages.gap();
        passages.add(HiddenText.Hiding.COMMENT, wordsOf(comment));
    }

    /** The words of a comment: of one for a certain program, whose content is HTML, those between its tags. */
    private static CharSequence wordsOf(String comment) {
        if (comment.regionMatches(true, 0, "doctype", 0, 7) || comment.startsWith("[endif")) {
            return "";
        }
        if (!comment.startsWith("[if") && !comment.startsWith("<![")) {
            return comment;
        }
        StringBuilder words = new StringBuilder();
        int from = comment.indexOf('>') + 1;
        while (from > 0 && from < comment.length()) {
            int tag = comment.indexOf('<', from);
            words.append(comment, from, tag < 0 ? comment.length() : tag).append(' ');
            from = tag < 0 ? 0 : comment.indexOf('>', tag) + 1;
        }
        return words;
    }

    @Override
    public void style(String css) {
        sheet.read(css);
    }

    @Override
    public void open(String name, Map<String, String> values) {
        separate(name);
        told(name, values);
        if (VOID.contains(name)) {
            return;
        }
        if (CLOSED_BY_NEXT.contains(name)
                && !open.isEmpty()
                && open.getFirst().name.equals(name)) {
            pop();
        }
        if (open.size() >= MAX_DEPTH) {
            beyond++;
            return;
        }
        Style own = own(name, values);
        open.push(new Open(name, own.over(style())));
        quotes += name.equals("blockquote") ? 1 : 0;
        links.open(name, values.get("href"));
    }

    private Style own(String name, Map<String, String> values) {
        if (values.isEmpty()) {
            return UNSEEN.contains(name) ? Style.NONE.withGone() : sheet.of(name, null, null);
        }
        Style style = sheet.of(name, values.get("class"), values.get("id"));
        String color = values.get("color");
        String behind = values.get("bgcolor");
        if (color != null || behind != null || values.containsKey("background")) {
            style = Style.NONE
                    .withColors(
                            color == null ? CssColor.UNSAID : CssColor.of(color.toLowerCase(Locale.ROOT)),
                            values.containsKey("background")
                                    ? CssColor.UNKNOWN
                                    : behind == null ? CssColor.UNSAID : CssColor.of(behind.toLowerCase(Locale.ROOT)))
                    .over(style);
        }
        String inline = values.get("style");
        style = inline == null ? style : CssText.style(inline).over(style);
        boolean gone = UNSEEN.contains(name)
                || values.containsKey("hidden")
                || "true".equalsIgnoreCase(values.get("aria-hidden"));
        return gone ? style.withGone() : style;
    }

    private void told(String name, Map<String, String> values) {
        values.forEach((attribute, value) -> {
            boolean data = attribute.startsWith("data-") && value.length() >= LONG_DATA;
            boolean meta = attribute.equals("content") && value.indexOf(' ') > 0;
            boolean told = TOLD.contains(attribute) && !name.equals("meta") && value.length() > 2;
            if (data || meta || told) {
                attributes.append(value).append("\n\n");
            }
        });
        if (name.equals("img")) {
            links.image(values.get("src"));
        }
    }

    private void separate(String name) {
        if (BLOCKS.contains(name)) {
            newLine(visible, name.equals("p"));
            newLine(hidden, false);
        } else if (name.equals("td") || name.equals("th") || name.equals("img")) {
            visible.append(' ');
        }
    }

    private void newLine(StringBuilder text, boolean paragraph) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append(paragraph ? "\n\n" : "\n");
        }
        if (quotes > 0 && text == visible) {
            text.append("> ");
        }
    }

    @Override
    public void close(String name) {
        if (name.equals("a")) {
            links.close();
        }
        int look = 0;
        boolean known = false;
        for (Open one : open) {
            if (one.name.equals(name)) {
                known = true;
                break;
            }
            if (++look > MAX_LOOK) {
                break;
            }
        }
        if (known) {
            if (beyond > 0) {
                beyond--;
            } else {
                for (int i = 0; i <= look; i++) {
                    pop();
                }
            }
        }
        separate(name);
    }

    private void pop() {
        quotes -= open.pop().name.equals("blockquote") ? 1 : 0;
    }

    private Style style() {
        @Nullable Open top = open.peek();
        return top == null ? Style.PAGE : top.style;
    }
}
