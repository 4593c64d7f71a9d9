package dev.inboxd.mail.markdown;

import dev.inboxd.mail.link.BodyTargets;
import dev.inboxd.mail.link.WrittenTargets;
import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.inline.Place;
import dev.inboxd.mail.markdown.measure.AlignedText;
import dev.inboxd.mail.markdown.measure.QuoteMarks;
import dev.inboxd.mail.markdown.measure.ShortQuotation;
import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.mail.reply.QuotedLines;
import dev.inboxd.mail.reply.QuotedPart;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a text body as Markdown (markdown.md §2): lines stay lines, an empty line ends a paragraph, what is aligned
 * by spaces stands in a fence. Addresses are links; nothing else is made of plain text. Time is in proportion to the
 * text.
 */
final class TextMarkdown {
    /** Lines in which quotations are looked for; those behind belong to what the last of these belongs to. */
    private static final int MOST_LINES = 10_000;

    private final List<String> lines;
    private final QuoteForm quotes;
    private final BodyTargets targets;
    private final List<QuotedPart> quotations;
    private final InlineText text = new InlineText();

    private TextMarkdown(List<String> lines, QuoteForm quotes, BodyTargets targets, List<QuotedPart> quotations) {
        this.lines = lines;
        this.quotes = quotes;
        this.targets = targets;
        this.quotations = quotations;
    }

    /**
     * Writes the text body.
     *
     * @param targets where its links lead
     */
    static void write(MarkdownSource source, QuoteForm quotes, BodyTargets targets, MarkdownBlocks blocks) {
        boolean flowed = source.flowed() != null;
        List<String> lines = source.shownText().lines().toList();
        List<String> looked = lines.subList(0, Math.min(lines.size(), MOST_LINES));
        List<QuotedPart> quotedParts = source.kind() == MailKind.REPORT
                ? List.of()
                : QuotedLines.of(looked, flowed, source.kind() == MailKind.ANSWER);
        new TextMarkdown(lines, quotes, targets, quotedParts).write(blocks);
    }

    private void write(MarkdownBlocks blocks) {
        int at = 0;
        for (QuotedPart quotation : quotations) {
            own(at, quotation.start(), blocks);
            at = quotation.end() == MOST_LINES ? lines.size() : quotation.end();
            quotation(quotation, at, blocks);
        }
        own(at, lines.size(), blocks);
    }

    private void quotation(QuotedPart quotation, int end, MarkdownBlocks blocks) {
        MarkdownBlocks measured = new MarkdownBlocks(_ -> {});
        quoted(quotation, end, measured);
        boolean open = quotation.isIntroduced()
                || (quotation.isAnswered() && ShortQuotation.is(measured.lines(), measured.characters()));
        if (open || quotes == QuoteForm.FULL) {
            quoted(quotation, end, blocks);
        } else if (quotes == QuoteForm.FOLD) {
            blocks.folded(measured.lines(), measured.words());
        }
    }

    /** Writes what is quoted, with as many signs as each line has, and one for an attribution. */
    private void quoted(QuotedPart quotation, int end, MarkdownBlocks blocks) {
        for (int start = quotation.start(); start < end; ) {
            int depth = depth(start);
            int next = start;
            List<String> same = new ArrayList<>();
            while (next < end && depth(next) == depth) {
                same.add(QuoteMarks.without(lines.get(next++)));
                int behind = behindBlank(next, end);
                if (behind > next && behind < end && depth(behind) == depth) { // empty lines without signs
                    same.add("");
                    next = behind;
                }
            }
            List<Container> around = new ArrayList<>(depth);
            for (int i = 0; i < depth; i++) {
                around.add(Container.quote(quotation));
            }
            around.forEach(blocks::push);
            paragraphs(same, blocks);
            around.reversed().forEach(blocks::remove);
            start = next;
        }
    }

    private int depth(int line) {
        return Math.clamp(QuoteMarks.depth(lines.get(line)), 1, QuoteMarks.DEEPEST);
    }

    /** The first line from one on that is not empty. */
    private int behindBlank(int line, int end) {
        int next = line;
        while (next < end && lines.get(next).isBlank()) {
            next++;
        }
        return next;
    }

    private void own(int start, int end, MarkdownBlocks blocks) {
        paragraphs(lines.subList(start, end), blocks);
    }

    private void paragraphs(List<String> section, MarkdownBlocks blocks) {
        for (int start = 0; start < section.size(); ) {
            int end = start;
            while (end < section.size() && !section.get(end).isBlank()) {
                end++;
            }
            if (end > start) {
                block(section.subList(start, end), blocks);
            }
            start = end + 1;
        }
    }

    private void block(List<String> paragraph, MarkdownBlocks blocks) {
        if (AlignedText.is(paragraph)) {
            CodeFence.write(String.join("\n", paragraph), blocks);
            return;
        }
        text.clear();
        for (String line : paragraph) {
            line(line);
            text.lineBreak();
        }
        if (!text.isEmpty()) {
            blocks.paragraph(text.write(Place.PARAGRAPH));
        }
    }

    private void line(String line) {
        int at = 0;
        for (WrittenTargets.Place place : WrittenTargets.in(line, targets)) {
            boolean bracketed = isBracketed(line, place);
            text.append(line.substring(at, place.start() - (bracketed ? 1 : 0)), 0);
            text.beginLink(place.target());
            text.append(place.target(), 0);
            text.endLink();
            at = place.end() + (bracketed ? 1 : 0);
        }
        text.append(line.substring(at), 0);
    }

    /** An address that stands between {@code <} and {@code >} already gets no more of them (RFC 3986 appendix C). */
    private static boolean isBracketed(String line, WrittenTargets.Place place) {
        return place.start() > 0
                && line.charAt(place.start() - 1) == '<'
                && place.end() < line.length()
                && line.charAt(place.end()) == '>';
    }
}
