package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.page.Bullets;
import dev.inboxd.mail.markdown.page.DataTable;
import dev.inboxd.mail.markdown.page.HtmlMail;
import dev.inboxd.mail.markdown.page.LinkContent;
import dev.inboxd.mail.markdown.page.Pictures;
import dev.inboxd.mail.markdown.page.SeenNodes;
import dev.inboxd.mail.markdown.page.VerbatimText;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Element;

/** What elements do to the blocks and to the words in them. */
final class ElementReader {
    private final HtmlMail mail;
    private final SeenNodes nodes;
    private final MarkdownBlocks blocks;
    private final TextFlow flow;
    private final boolean isPlain;
    private final QuoteState quote;
    private final WordList wordList;
    private final List<OpenElement> open = new ArrayList<>();
    private int italic;
    private int code;
    private int bold;
    /** How many items there are around whose marks are not part of their text. */
    private int marked;

    private int bulletRow;

    /**
     * What the walk knows besides.
     *
     * @param isPlain whether it writes words alone, without structure
     */
    record State(QuoteState quote, boolean isPlain) {}

    ElementReader(HtmlMail mail, MarkdownBlocks blocks, TextFlow flow, State state) {
        this.mail = mail;
        this.nodes = mail.nodes();
        this.blocks = blocks;
        this.flow = flow;
        isPlain = state.isPlain;
        quote = state.quote;
        wordList = new WordList(nodes, blocks);
    }

    /** Ends the elements that end before a node. */
    void closeUpTo(int i) {
        while (!open.isEmpty() && open.getLast().end <= i) {
            close(open.removeLast());
        }
    }

    /**
     * Begins an element, or reads all of it.
     *
     * @return the next node to go on with
     */
    int read(int i) {
        if (quote.isSkipped()) {
            push(i);
            return i + 1;
        }
        if (!flow.isFlat() && !isPlain && isWhole(i)) {
            return nodes.end(i);
        }
        switch (nodes.name(i)) {
            case "br" -> flow.lineBreak();
            case "hr" -> rule();
            case "img", "input" -> picture(i);
            case "a" -> {
                return link(i);
            }
            default -> {
                if (isBullet(i) || (marked > 0 && Bullets.isMark(nodes, i))) {
                    return nodes.end(i);
                }
                push(i);
            }
        }
        return i + 1;
    }

    /** Writes an element that is a block as a whole: a table of data, or preformatted text. */
    private boolean isWhole(int i) {
        DataTable table = nodes.name(i).equals("table") ? DataTable.of(nodes, i) : null;
        boolean fence = table == null && VerbatimText.is(nodes, i);
        if ((table == null && !fence) || mail.isCut(i)) {
            return false;
        }
        flow.flush();
        flow.forget();
        if (table != null) {
            new TableWriter(mail, blocks).write(table);
        } else {
            CodeFence.write(VerbatimText.text(nodes, i), blocks);
        }
        return true;
    }

    private void push(int i) {
        OpenElement element = new OpenElement(i, nodes.end(i));
        open.add(element);
        edge(i);
        if (!flow.isFlat() && !isPlain) {
            structure(element);
        }
        switch (nodes.name(i)) {
            case "em", "i" -> italic++;
            case "code", "tt", "kbd", "samp" -> code++;
            case "dt" -> bold++;
            case "sup" -> flow.joint('^');
            case "sub" -> flow.joint('_');
            default -> {}
        }
    }

    /** An element begins or ends. */
    private void edge(int i) {
        if (nodes.is(i, SeenNodes.BLOCK) && !quote.isSkipped()) {
            flow.breakBlock();
        } else if (nodes.is(i, SeenNodes.INLINE_BOX)) {
            flow.space();
        }
    }

    private void structure(OpenElement element) {
        int i = element.node;
        String name = nodes.name(i);
        switch (name) {
            case "h1", "h2", "h3", "h4", "h5", "h6" -> {
                if (nodes.isLine(i) && !quote.isSkipped()) {
                    flow.beginFlat(name.charAt(1) - '0');
                    element.isFlat = true;
                }
            }
            case "ul", "menu", "dir" -> list(element, new ListKind(false, 1));
            case "ol" -> list(element, new ListKind(true, nodes.number(i, "start", 1)));
            case "li" -> element.items = List.of(item(i));
            case "blockquote" -> element.items = List.of(Container.quote(quote.owner()));
            case "td", "th" -> {
                if (bulletRow > i) {
                    element.items = wordList.bullet();
                    element.isWordItem = true;
                    bulletRow = 0;
                }
            }
            default -> {}
        }
        if (element.items.isEmpty() && nodes.is(i, SeenNodes.BLOCK)) {
            wordItem(element);
        }
        element.items.forEach(blocks::push);
        quote.adjust();
    }

    private void wordItem(OpenElement element) {
        WordList.Item item = wordList.itemOf(element.node);
        if (item != null) {
            element.items = item.containers();
            element.isWordItem = true;
            element.isMarked = true;
            marked++;
            flow.stripsBullet(item.hasBullet());
        }
    }

    /** A list begins; one that stands in another and in none of its items belongs to its last one. */
    private void list(OpenElement element, ListKind list) {
        OpenElement around = null;
        for (int i = open.size() - 2; i >= 0 && around == null; i--) {
            boolean item = nodes.name(open.get(i).node).equals("li");
            around = item || open.get(i).list != null ? open.get(i) : null;
        }
        Container last = around == null || around.list == null ? null : around.list.last();
        element.items = last == null ? List.of() : List.of(last);
        element.list = list;
    }

    private Container item(int node) {
        for (int i = open.size() - 1; i >= 0; i--) {
            ListKind list = open.get(i).list;
            if (list != null) {
                int number = nodes.number(node, "value", -1);
                return list.ordered && number >= 0 ? list.item(number) : list.item();
            }
        }
        return new ListKind(false, 1).item();
    }

    private void close(OpenElement element) {
        edge(element.node);
        switch (nodes.name(element.node)) {
            case "em", "i" -> italic--;
            case "code", "tt", "kbd", "samp" -> {
                code--;
                flow.endCode();
            }
            case "dt" -> bold--;
            case "sup", "sub" -> flow.joint((char) 0);
            default -> {}
        }
        if (element.isLink) {
            flow.endLink(element.isPicture);
        }
        if (element.isFlat) {
            flow.endFlat();
        }
        if (!element.items.isEmpty()) {
            element.items.forEach(blocks::remove);
            quote.adjust();
        }
        if (element.isWordItem) {
            wordList.written();
            flow.stripsBullet(false);
        }
        marked -= element.isMarked ? 1 : 0;
    }

    private int link(int i) {
        String target = isPlain || flow.isInLink() ? null : mail.target(i);
        LinkContent content = target == null ? null : LinkContent.of(mail, i);
        if (target == null || content == null || content.isEmpty()) {
            push(i);
            return i + 1;
        }
        if (content.isPicture() && (flow.isSaid(target) || LinkContent.isSaidBehind(mail, i, target))) {
            return nodes.end(i);
        }
        push(i);
        OpenElement element = open.getLast();
        element.isLink = true;
        element.isPicture = content.isPicture();
        if (content.hasBlocks() && !flow.isFlat()) {
            flow.beginFlat(content.heading());
            element.isFlat = true;
        }
        flow.beginLink(target, content.hasWords());
        return i + 1;
    }

    /** How the words of a node look. */
    int style(int i) {
        if (isPlain) {
            return 0;
        }
        return (nodes.is(i, SeenNodes.BOLD) || bold > 0 ? InlineText.BOLD : 0)
                | (italic > 0 ? InlineText.ITALIC : 0)
                | (nodes.is(i, SeenNodes.STRUCK) ? InlineText.STRUCK : 0)
                | (code > 0 ? InlineText.CODE : 0);
    }

    private void rule() {
        flow.breakBlock();
        if (!flow.isFlat() && !isPlain) {
            blocks.rule();
            flow.forget();
        }
    }

    private void picture(int i) {
        String button = nodes.button(i);
        if (!button.isEmpty()) {
            flow.space();
            flow.words(button, style(i));
            flow.space();
        } else if (nodes.attribute(i, "type").strip().equalsIgnoreCase("checkbox")) {
            if (!nodes.is(i, SeenNodes.BLANK)) {
                flow.box(nodes.node(i) instanceof Element box && box.hasAttr("checked"));
            }
        } else {
            String words = Pictures.words(mail, i);
            if (words != null) {
                flow.picture(words, Pictures.isSign(words));
            }
        }
    }

    /** Whether a cell is the bullet of what stands in the cell beside it. */
    private boolean isBullet(int i) {
        if (!nodes.name(i).equals("td") || flow.isFlat() || open.isEmpty() || !Bullets.isBullet(nodes, i)) {
            return false;
        }
        flow.flush();
        bulletRow = open.getLast().end;
        return bulletRow > nodes.end(i);
    }
}
