package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.measure.ShortQuotation;
import dev.inboxd.mail.markdown.page.HtmlMail;
import dev.inboxd.mail.markdown.page.RenderWork;
import dev.inboxd.mail.markdown.page.SeenNodes;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Goes through the nodes of a body in their order, and writes the blocks that they make. */
final class HtmlWalk {
    private static final int STEPS_OF_A_NODE = 8;

    private final HtmlMail mail;
    private final SeenNodes nodes;
    private final Rules rules;
    private final RenderWork work;
    private final MarkdownBlocks blocks;
    private final QuoteState quote;
    private final TextFlow flow;
    private final ElementReader elements;
    private final Deque<HtmlMail.QuotedRange> ranges = new ArrayDeque<>();
    private HtmlMail.@Nullable QuotedRange in;

    /**
     * How it is written.
     *
     * @param work what it may cost; when that is used up it ends where it is
     * @param isPlain whether it is words alone, without structure
     */
    record Rules(QuoteForm quotes, RenderWork work, boolean isPlain) {}

    HtmlWalk(HtmlMail mail, Rules rules, MarkdownBlocks blocks) {
        this(mail, rules, blocks, new InlineText());
    }

    private HtmlWalk(HtmlMail mail, Rules rules, MarkdownBlocks blocks, InlineText inline) {
        this.mail = mail;
        this.nodes = mail.nodes();
        this.rules = rules;
        this.work = rules.work;
        this.blocks = blocks;
        quote = new QuoteState(blocks);
        flow = new TextFlow(blocks, inline, quote);
        elements = new ElementReader(mail, blocks, flow, new ElementReader.State(quote, rules.isPlain));
    }

    /** One that adds words to a line, whatever blocks they stand in. */
    static HtmlWalk ofLine(HtmlMail mail, InlineText inline) {
        Rules rules = new Rules(QuoteForm.FULL, mail.nodes().work(), false);
        HtmlWalk walk = new HtmlWalk(mail, rules, new MarkdownBlocks(_ -> {}), inline);
        walk.flow.beginFlat();
        return walk;
    }

    /** Adds the words of an element to its line. */
    void line(int element) {
        flow.forget();
        walk(element, 0, nodes.end(element), 0);
    }

    /** Goes through all. */
    void walk() {
        ranges.addAll(mail.quoted());
        walk(0, 0, nodes.size(), 0);
        flow.flush();
    }

    private void walk(int from, int fromOffset, int to, int toOffset) {
        for (int i = from; i < nodes.size() && (i < to || (i == to && toOffset > 0)) && !work.isOver(); ) {
            work.spend(STEPS_OF_A_NODE);
            elements.closeUpTo(i);
            int at = quotations(i, i == from ? fromOffset : 0);
            if (nodes.name(i).isEmpty()) {
                text(i, at, i == to ? toOffset : Integer.MAX_VALUE);
                i++;
            } else {
                i = elements.read(i);
            }
        }
        elements.closeUpTo(Integer.MAX_VALUE);
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
            shown = range.quotation().isAnswered() && ShortQuotation.is(counted.lines(), counted.characters());
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

    private void text(int i, int from, int to) {
        if (quote.isSkipped()) {
            return;
        }
        String all = nodes.text(i);
        String words = all.substring(Math.min(from, all.length()), Math.min(to, all.length()));
        if (words.isEmpty()) {
            return;
        }
        work.spend(words.length());
        int start = 0;
        if (nodes.is(i, SeenNodes.PRESERVED | SeenNodes.LINES)) {
            for (int end = words.indexOf('\n'); end >= 0; end = words.indexOf('\n', start)) {
                flow.words(words.substring(start, end), elements.style(i));
                flow.lineBreak();
                start = end + 1;
            }
        }
        flow.words(words.substring(start), elements.style(i));
    }
}
