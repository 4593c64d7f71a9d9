package dev.inboxd.mail.screen;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.Concealment;
import dev.inboxd.mail.html.HtmlComments;
import dev.inboxd.mail.html.ShownHtml;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The text of HTML as a person sees it, and apart what a person does not see, or may not see: hidden elements,
 * comments, attributes, the words of style sheets and of frames.
 */
final class HtmlContent implements ShownHtml.Visitor {
    private static final int LONG_DATA = 16;
    private static final int DEEPEST_FRAME = 3;

    /** Words of a style sheet from which they may be a sentence. */
    private static final int SENTENCE = 4;

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
    private static final Set<String> TEXT_ATTRIBUTES =
            Set.of("alt", "title", "aria-label", "aria-description", "placeholder", "value", "summary", "content");

    private final StringBuilder visible = new StringBuilder();
    private final StringBuilder hidden = new StringBuilder();
    private final StringBuilder attributes = new StringBuilder();
    private final LinkCheck links = new LinkCheck();
    private final Passages passages = new Passages();
    private final int depth;
    private int quotes;
    private boolean wasHidden;

    private HtmlContent(int depth) {
        this.depth = depth;
    }

    static HtmlContent of(String html) {
        return of(html, 0);
    }

    private static HtmlContent of(String html, int depth) {
        HtmlContent content = new HtmlContent(depth);
        ShownHtml shown = ShownHtml.of(html);
        content.readHead(shown);
        boolean complete = shown.visit(content) && shown.isWhole();
        content.links.close();
        if (!complete) {
            content.hidden.append('\n').append(HtmlComments.withoutTags(html));
        }
        return content;
    }

    /** What stands before the body or behind it: nobody sees any of it. */
    private void readHead(ShownHtml shown) {
        Element body = shown.document().body();
        shown.document().traverse(new NodeVisitor() {
            private @Nullable Node inside;

            @Override
            public void head(Node node, int at) {
                inside = node.equals(body) ? node : inside;
                if (inside != null) {
                    return;
                }
                if (node instanceof TextNode text && !text.isBlank()) {
                    conceal(HiddenText.Hiding.UNSHOWN, text.getWholeText());
                } else if (node instanceof Element element) {
                    newLine(hidden, false);
                    readAttributes(element);
                } else {
                    leaf(node, null);
                }
            }

            @Override
            public void tail(Node node, int at) {
                inside = node.equals(inside) ? null : inside;
            }
        });
    }

    /** The text that a person sees; lines of quoted elements begin with {@code >}. */
    String visible() {
        return visible.toString();
    }

    /** Hidden elements, comments, and the words of style sheets and frames. */
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
    public void text(TextNode node, Appearance appearance) {
        String text = node.getWholeText();
        Concealment how = appearance.suspicion();
        if (how != null) {
            conceal(hiding(how), text);
            return;
        }
        wasHidden = false;
        append(visible, text);
        passages.gap();
        links.text(text);
    }

    private void conceal(HiddenText.Hiding how, String text) {
        if (!wasHidden) {
            hidden.append(' ');
        }
        wasHidden = true;
        append(hidden, text);
        passages.add(how, text);
    }

    private static void append(StringBuilder to, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > ' ') {
                to.append(c);
            } else if (!to.isEmpty() && to.charAt(to.length() - 1) > ' ') {
                to.append(' ');
            }
        }
    }

    private static HiddenText.Hiding hiding(Concealment how) {
        return switch (how) {
            case TOO_SMALL -> HiddenText.Hiding.TINY;
            case SAME_COLOR -> HiddenText.Hiding.COLORED;
            case NOT_LAID_OUT, CUT_OFF, SEE_THROUGH, ELSEWHERE -> HiddenText.Hiding.UNSHOWN;
        };
    }

    @Override
    public void leaf(Node node, @Nullable Appearance appearance) {
        if (node instanceof Comment comment) {
            comment(HtmlComments.words(comment.getData()));
        } else if (node instanceof DataNode data) {
            if (node.parentNameIs("style")) {
                SheetWords.in(data.getWholeData(), SENTENCE).forEach(this::comment);
            } else {
                conceal(HiddenText.Hiding.UNSHOWN, data.getWholeData());
            }
        }
    }

    private void comment(String words) {
        hidden.append('\n').append(words).append('\n');
        passages.gap();
        passages.add(HiddenText.Hiding.COMMENT, words);
    }

    @Override
    public boolean open(Element element, Appearance appearance) {
        String name = element.normalName();
        separate(name);
        readAttributes(element);
        quotes += name.equals("blockquote") ? 1 : 0;
        links.open(name, element.hasAttr("href") ? element.attr("href") : null);
        return true;
    }

    private void readAttributes(Element element) {
        for (Attribute attribute : element.attributes()) {
            String name = attribute.getKey();
            String value = attribute.getValue();
            boolean meta = element.nameIs("meta");
            boolean textual = name.equals("content")
                    ? value.indexOf(' ') > 0
                    : TEXT_ATTRIBUTES.contains(name) && !meta && value.length() > 2;
            if (textual || (name.startsWith("data-") && value.length() >= LONG_DATA)) {
                attributes.append(value).append("\n\n");
            } else if (name.equals("srcdoc") && depth < DEEPEST_FRAME) {
                HtmlContent frame = of(value, depth + 1);
                conceal(HiddenText.Hiding.UNSHOWN, frame.visible + "\n" + frame.hidden + "\n" + frame.attributes);
            }
        }
        if (element.nameIs("img")) {
            links.image(element.hasAttr("src") ? element.attr("src") : null);
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
    public void close(Element element, Appearance appearance) {
        String name = element.normalName();
        if (name.equals("a")) {
            links.close();
        }
        quotes -= name.equals("blockquote") ? 1 : 0;
        if (!VOID.contains(name)) {
            separate(name);
        }
    }
}
