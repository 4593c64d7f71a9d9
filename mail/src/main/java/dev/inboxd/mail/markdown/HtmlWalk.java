package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.MarkdownBlocks.Container;
import dev.inboxd.mail.markdown.MarkdownBlocks.ListKind;
import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.page.DataTable;
import dev.inboxd.mail.markdown.page.HtmlMail;
import dev.inboxd.mail.markdown.page.LinkContent;
import dev.inboxd.mail.markdown.page.Pictures;
import dev.inboxd.mail.markdown.page.SeenNodes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** Goes through the nodes of a body in their order, and writes the blocks that they make. */
final class HtmlWalk {
    /** A quotation of so much stays open where the author answers it. */
    private static final int SHORT_LINES = 5;

    private static final int SHORT_CHARACTERS = 400;

    private final HtmlMail mail;
    private final SeenNodes nodes;
    private final Rules rules;
    private final MarkdownBlocks blocks;
    private final QuoteState quote;
    private final TextFlow flow;
    private final WordList wordList;
    private final List<OpenElement> open = new ArrayList<>();
    private final Deque<HtmlMail.QuotedRange> ranges = new ArrayDeque<>();
    private HtmlMail.@Nullable QuotedRange in;
    private int italic;
    private int code;
    private int bold;
    /** How many items there are around whose marks are not part of their text. */
    private int marked;

    private int bulletRow;

    /**
     * How it is written.
     *
     * @param isPlain whether what follows is words alone, without structure
     */
    record Rules(QuoteForm quotes, BooleanSupplier isPlain) {}

    HtmlWalk(HtmlMail mail, Rules rules, MarkdownBlocks blocks) {
        this(mail, rules, blocks, new InlineText());
    }

    private HtmlWalk(HtmlMail mail, Rules rules, MarkdownBlocks blocks, InlineText inline) {
        this.mail = mail;
        this.nodes = mail.nodes();
        this.rules = rules;
        this.blocks = blocks;
        wordList = new WordList(nodes, blocks);
        quote = new QuoteState(blocks);
        flow = new TextFlow(blocks, inline, quote);
    }

    /** Adds the words of some nodes to a line. */
    static void line(HtmlMail mail, int from, int to, InlineText inline) {
        Rules rules = new Rules(QuoteForm.FULL, () -> false);
        HtmlWalk walk = new HtmlWalk(mail, rules, new MarkdownBlocks(_ -> {}), inline);
        walk.flow.beginFlat();
        walk.walk(from, 0, to, 0);
    }

    /** Goes through all. */
    void walk() {
        ranges.addAll(mail.quoted());
        walk(0, 0, nodes.size(), 0);
        flow.flush();
    }

    private boolean isPlain() {
        return rules.isPlain.getAsBoolean();
    }

    private void walk(int from, int fromOffset, int to, int toOffset) {
        for (int i = from; i < nodes.size() && (i < to || (i == to && toOffset > 0)); ) {
            closeUpTo(i);
            int at = quotations(i, i == from ? fromOffset : 0);
            if (nodes.name(i).isEmpty()) {
                text(i, at, i == to ? toOffset : Integer.MAX_VALUE);
                i++;
            } else {
                i = element(i);
            }
        }
        closeUpTo(Integer.MAX_VALUE);
        if (in != null) {
            leave();
        }
    }

    /**
     * Begins and ends the quotations that begin and end in a node.
     *
     * @return where the text behind them begins
     */
    private int quotations(int i, int from) {
        int at = from;
        while (true) {
            HtmlMail.QuotedRange next = in == null && !ranges.isEmpty() ? ranges.getFirst() : null;
            if (in != null && in.endNode() == i) {
                int end = in.endOffset();
                text(i, at, end);
                at = end;
                leave();
            } else if (next != null && next.startNode() == i) {
                ranges.removeFirst();
                text(i, at, next.startOffset());
                at = next.startOffset();
                enter(next);
            } else {
                return at;
            }
        }
    }

    private void enter(HtmlMail.QuotedRange range) {
        in = range;
        flow.flush();
        boolean shown = rules.quotes == QuoteForm.FULL || range.quotation().isIntroduced();
        if (!shown) {
            MarkdownBlocks counted = count(range);
            shown = range.quotation().isAnswered()
                    && counted.lines() <= SHORT_LINES
                    && counted.characters() <= SHORT_CHARACTERS;
            if (!shown && rules.quotes == QuoteForm.FOLD && counted.lines() > 0) {
                blocks.folded(counted.lines(), counted.words());
            }
        }
        if (shown) {
            quote.begin(range);
        } else {
            quote.skip();
        }
    }

    private MarkdownBlocks count(HtmlMail.QuotedRange range) {
        MarkdownBlocks counted = new MarkdownBlocks(_ -> {});
        HtmlWalk walk = new HtmlWalk(mail, rules, counted);
        walk.quote.begin(range);
        walk.walk(range.startNode(), range.startOffset(), range.endNode(), range.endOffset());
        walk.flow.flush();
        return counted;
    }

    private void leave() {
        flow.flush();
        quote.end();
        in = null;
    }

    private void closeUpTo(int i) {
        while (!open.isEmpty() && open.getLast().end <= i) {
            close(open.removeLast());
        }
    }

    /** @return the next node to go on with */
    private int element(int i) {
        if (quote.isSkipped()) {
            push(i);
            return i + 1;
        }
        if (!flow.isFlat() && !isPlain() && isWhole(i)) {
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
                if (isBullet(i) || (marked > 0 && wordList.isMark(i))) {
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
        boolean fence = table == null && Fence.is(nodes, i);
        if ((table == null && !fence) || mail.isCut(i)) {
            return false;
        }
        flow.flush();
        flow.forget();
        if (table != null) {
            new TableWriter(mail, blocks).write(table);
        } else {
            Fence.write(nodes, i, blocks);
        }
        return true;
    }

    private void push(int i) {
        OpenElement element = new OpenElement(i, nodes.end(i));
        open.add(element);
        edge(i);
        if (!flow.isFlat() && !isPlain()) {
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
                if (isLine(i) && !quote.isSkipped()) {
                    flow.beginFlat(name.charAt(1) - '0');
                    element.isFlat = true;
                }
            }
            case "ul", "menu", "dir" -> element.list = new ListKind(false, 1);
            case "ol" -> element.list = new ListKind(true, number(nodes.attribute(i, "start"), 1));
            case "li" -> element.items = List.of(item());
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
        quote.settle();
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

    /** Whether a heading has no blocks but such as are words in a line. */
    private boolean isLine(int heading) {
        for (int i = heading + 1; i < nodes.end(heading); i++) {
            switch (nodes.name(i)) {
                case "table", "ul", "ol", "dl", "pre", "hr", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6" -> {
                    return false;
                }
                default -> {}
            }
        }
        return true;
    }

    private Container item() {
        for (int i = open.size() - 1; i >= 0; i--) {
            ListKind list = open.get(i).list;
            if (list != null) {
                return list.item();
            }
        }
        return new ListKind(false, 1).item();
    }

    private static int number(String written, int otherwise) {
        String bare = written.strip();
        boolean number = !bare.isEmpty() && bare.length() <= 9 && bare.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(bare) : otherwise;
    }

    private void close(OpenElement element) {
        edge(element.node);
        switch (nodes.name(element.node)) {
            case "em", "i" -> italic--;
            case "code", "tt", "kbd", "samp" -> code--;
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
            quote.settle();
        }
        if (element.isWordItem) {
            wordList.written();
            flow.stripsBullet(false);
        }
        marked -= element.isMarked ? 1 : 0;
    }

    private int link(int i) {
        String target = isPlain() || flow.isInLink() ? null : mail.target(i);
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

    private void text(int i, int from, int to) {
        String all = nodes.text(i);
        String words = all.substring(Math.min(from, all.length()), Math.min(to, all.length()));
        if (quote.isSkipped() || words.isEmpty()) {
            return;
        }
        int start = 0;
        if (nodes.is(i, SeenNodes.KEPT | SeenNodes.LINES)) {
            for (int end = words.indexOf('\n'); end >= 0; end = words.indexOf('\n', start)) {
                flow.words(words.substring(start, end), look(i));
                flow.lineBreak();
                start = end + 1;
            }
        }
        flow.words(words.substring(start), look(i));
    }

    private int look(int i) {
        if (isPlain()) {
            return 0;
        }
        return (nodes.is(i, SeenNodes.BOLD) || bold > 0 ? InlineText.BOLD : 0)
                | (italic > 0 ? InlineText.ITALIC : 0)
                | (nodes.is(i, SeenNodes.STRUCK) ? InlineText.STRUCK : 0)
                | (code > 0 ? InlineText.CODE : 0);
    }

    private void rule() {
        flow.breakBlock();
        if (!flow.isFlat() && !isPlain()) {
            blocks.rule();
            flow.forget();
        }
    }

    private void picture(int i) {
        String type = nodes.name(i).equals("input") ? nodes.attribute(i, "type").strip().toLowerCase(Locale.ROOT) : "";
        switch (type) {
            case "submit", "button", "reset" -> flow.words(nodes.attribute(i, "value"), look(i));
            case "checkbox" -> flow.box(nodes.node(i) instanceof Element box && box.hasAttr("checked"));
            default -> {
                String words = Pictures.words(mail, i);
                if (words != null) {
                    flow.picture(words, Pictures.isSign(words));
                }
            }
        }
    }

    /** Whether a cell is the bullet of what stands in the cell beside it. */
    private boolean isBullet(int i) {
        if (!nodes.name(i).equals("td") || flow.isFlat() || open.isEmpty() || !wordList.isBullet(i)) {
            return false;
        }
        flow.flush();
        bulletRow = open.getLast().end;
        return bulletRow > nodes.end(i);
    }
}
