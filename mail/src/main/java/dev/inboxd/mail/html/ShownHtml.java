package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssRules;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/**
 * HTML of a mail as a person sees it: a tree within limits, and how each text of it looks. What is hidden, and what is
 * shown in doubt, stands in the API reference (mail.md §13). The style sheets are those of the whole mail, also when
 * parts of the tree are taken out later.
 */
public final class ShownHtml {
    /** How many looks are kept; those of more elements are computed for each visitor, which costs less than memory. */
    private static final int MOST_LOOKS = 20_000;

    private final Document document;
    private final Cascade cascade;
    private final boolean complete;
    private final int most;

    /** How the elements look that were visited: each visitor sees the same. */
    private final IdentityHashMap<Element, Appearance> looks = new IdentityHashMap<>();

    /** Gets the nodes of a body in their order. */
    public interface Visitor {
        /**
         * An element begins.
         *
         * @return whether the nodes within are visited
         */
        default boolean open(Element element, Appearance appearance) {
            return true;
        }

        /** A text. */
        void text(TextNode text, Appearance appearance);

        /** Any other node without nodes within: a comment, or the content of a script. */
        default void leaf(Node node, Appearance appearance) {}

        /** An element ends that was opened, and whose nodes were visited. */
        default void close(Element element, Appearance appearance) {}
    }

    private ShownHtml(HtmlTree tree, int characters, int most) {
        this.most = most;
        this.document = tree.document();
        this.complete = tree.isWhole();
        this.cascade = new Cascade(CssRules.of(document), characters);
    }

    /**
     * Reads HTML of any quality, without failing. Depth beyond 512 is flattened, elements beyond 50,000 are left out.
     *
     * @param html a document or a part of one
     */
    public static ShownHtml of(String html) {
        return of(html, HtmlTree.MAX_NODES);
    }

    /** The same with another limit for elements and nodes. */
    public static ShownHtml of(String html, int most) {
        return new ShownHtml(HtmlTree.of(html, most), html.length(), most);
    }

    /** Reads a tree that was parsed, and perhaps changed. */
    public static ShownHtml of(Document document) {
        return new ShownHtml(new HtmlTree(document, true), 0, HtmlTree.MAX_NODES);
    }

    /** The tree. Nodes may be taken out of it. */
    public Document document() {
        return document;
    }

    /**
     * Writes the colours, the size of letters and the display that style sheets and attributes declare into the
     * {@code style} attributes, so that they stay when the sheets are taken out.
     */
    public void inlineLook() {
        looks.clear(); // the cascade tells of an element while its look is read
        visit(new InlineLook(cascade));
        looks.clear();
    }

    /** Whether nothing was left out. */
    public boolean isWhole() {
        return complete;
    }

    /**
     * Whether it has words that a person does not see, in elements of the body or in comments. The content of scripts
     * is no text.
     */
    public boolean hidesWords() {
        HiddenWords words = new HiddenWords();
        visit(words);
        return words.areFound() || document.nodeStream(Comment.class).anyMatch(HiddenWords::areIn);
    }

    /**
     * Visits the first nodes of the body: 50,000, where no other limit was given.
     *
     * @return whether these are all
     */
    public boolean visit(Visitor visitor) {
        cascade.begin();
        Appearance page = Appearance.PAGE;
        Element root = document.body().parent();
        if (root != null) {
            page = page.of(root, cascade);
        }
        Walk walk = new Walk(visitor, page);
        document.body().filter(walk);
        return walk.nodes <= most;
    }

    /** Goes down with the appearance of each element. */
    private final class Walk implements NodeFilter {
        private final Visitor visitor;
        private final List<Appearance> around = new ArrayList<>();
        private int nodes;

        Walk(Visitor visitor, Appearance page) {
            this.visitor = visitor;
            around.add(page);
        }

        @Override
        public FilterResult head(Node node, int depth) {
            if (++nodes > most) {
                return FilterResult.STOP;
            }
            if (node instanceof TextNode text) {
                visitor.text(text, around.getLast());
            } else if (node instanceof Element element) {
                Appearance appearance = looks.get(element);
                if (appearance == null) {
                    appearance = around.getLast().of(element, cascade);
                    if (looks.size() < MOST_LOOKS) {
                        looks.put(element, appearance);
                    }
                }
                if (depth > HtmlTree.MAX_DEPTH || !visitor.open(element, appearance)) {
                    return FilterResult.SKIP_ENTIRELY;
                }
                around.add(appearance);
            } else {
                visitor.leaf(node, around.getLast());
            }
            return FilterResult.CONTINUE;
        }

        @Override
        public FilterResult tail(Node node, int depth) {
            if (node instanceof Element element) {
                visitor.close(element, around.removeLast());
            }
            return FilterResult.CONTINUE;
        }
    }
}
