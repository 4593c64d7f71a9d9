package dev.inboxd.mail.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.task.list.items.TaskListItemMarker;
import org.commonmark.ext.task.list.items.TaskListItemsExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Reads Markdown as programs do, by a library that is not ours. */
public final class MarkdownReader {
    private static final List<Extension> EXTENSIONS = List.of(
            TablesExtension.create(),
            StrikethroughExtension.builder().requireTwoTildes(false).build(),
            TaskListItemsExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();

    private static final Map<String, String> ELEMENTS = Map.ofEntries(
            Map.entry("StrongEmphasis", "b"),
            Map.entry("Emphasis", "i"),
            Map.entry("Strikethrough", "s"),
            Map.entry("Heading", "h2"),
            Map.entry("BlockQuote", "blockquote"),
            Map.entry("BulletList", "ul"),
            Map.entry("ListItem", "li"),
            Map.entry("TaskListItemMarker", "li"), // this library takes a box that is escaped for one
            Map.entry("TableBlock", "table"),
            Map.entry("TableHead", "table"),
            Map.entry("TableBody", "table"),
            Map.entry("TableRow", "table"),
            Map.entry("TableCell", "table"));

    private MarkdownReader() {}

    /** Markdown as HTML. */
    static String html(String markdown) {
        return RENDERER.render(PARSER.parse(markdown)).strip();
    }

    /** The names of the kinds of nodes in it, without paragraphs and texts. */
    public static Set<String> kinds(String markdown) {
        Set<String> kinds = new TreeSet<>();
        for (Node node : nodes(PARSER.parse(markdown))) {
            kinds.add(node.getClass().getSimpleName());
        }
        kinds.removeAll(Set.of("Document", "Paragraph", "Text", "SoftLineBreak"));
        return kinds;
    }

    /**
     * The names of the kinds of structure that a reader finds and some HTML does not have; a link or code that it has
     * fewer of, too.
     *
     * @param html well formed, without pictures
     */
    static List<String> foreign(String markdown, String html) {
        Document mail = Jsoup.parse(html);
        List<String> left = new ArrayList<>();
        for (Node node : nodes(PARSER.parse(markdown))) {
            left.add(node.getClass().getSimpleName());
        }
        left.removeAll(Set.of("Document", "Paragraph", "Text", "SoftLineBreak"));
        ELEMENTS.forEach((kind, element) -> {
            if (!mail.select(element).isEmpty()) {
                left.removeIf(kind::equals);
            }
        });
        for (int i = mail.select("a").size(); i > 0; i--) {
            left.remove("Link");
        }
        for (int i = mail.select("code, code br").size(); i > 0; i--) {
            left.remove("Code");
        }
        return left;
    }

    /** The words that a reader shows, with one space for each white space between them. */
    public static String words(String markdown) {
        StringBuilder words = new StringBuilder();
        PARSER.parse(markdown).accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock block) {
                words.append(block.getLiteral()).append(' ');
            }

            @Override
            public void visit(SoftLineBreak line) {
                words.append(' ');
            }

            @Override
            public void visit(HardLineBreak line) {
                words.append("HARD BREAK");
            }

            @Override
            public void visit(CustomNode node) {
                // this library takes a box that is escaped for one; GFM does not
                if (node instanceof TaskListItemMarker box) {
                    words.append(box.isChecked() ? "[x] " : "[ ] ");
                }
                visitChildren(node);
            }

            @Override
            protected void visitChildren(Node parent) {
                super.visitChildren(parent);
                boolean block = parent instanceof Block
                        || parent.getClass().getSimpleName().equals("TableCell");
                words.append(block ? " " : "");
            }
        });
        return words.toString().replaceAll("[ \n\t]+", " ").strip();
    }

    /** The targets of links. */
    static List<String> targets(String markdown) {
        List<String> targets = new ArrayList<>();
        for (Node node : nodes(PARSER.parse(markdown))) {
            if (node instanceof Link link) {
                targets.add(link.getDestination());
            }
        }
        return targets;
    }

    private static List<Node> nodes(Node root) {
        List<Node> all = new ArrayList<>();
        List<Node> open = new ArrayList<>(List.of(root));
        while (!open.isEmpty()) {
            Node node = open.removeLast();
            all.add(node);
            List<Node> children = new ArrayList<>();
            for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
                children.add(child);
            }
            open.addAll(children.reversed());
        }
        return all;
    }
}
