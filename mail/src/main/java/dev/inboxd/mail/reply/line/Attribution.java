package dev.inboxd.mail.reply.line;

import dev.inboxd.mail.reply.phrase.Phrases;
import java.util.BitSet;
import java.util.List;

/** Finds attribution lines, which mail programs write above a quote: "On Mon, 5 May 2025 at 10:00, Ann wrote:". */
final class Attribution {
    private static final int MAX_LINES = 6;
    private static final int MAX_LENGTH = 500;

    /** The longest line that may be the beginning of an attribution whose end has no year. */
    private static final int MAX_DATE_LINE = 60;

    private static final int LEAST_DIGITS = 5;

    private final List<TextLine> lines;
    private final LineKind[] marks;
    private final BitSet blockquotes;

    /** @param blockquotes lines in blockquotes of HTML that nothing else says to be quoted */
    Attribution(List<TextLine> lines, LineKind[] marks, BitSet blockquotes) {
        this.lines = lines;
        this.marks = marks;
        this.blockquotes = blockquotes;
    }

    /**
     * Finds the attribution that ends with a line.
     *
     * @return the index of its first line, or -1 when there is none
     */
    int startOf(int last) {
        String words = lines.get(last).words();
        if (!mayEnd(words)) {
            return -1;
        }
        AttributionLine.Below below = below(last);
        int best = -1;
        int undated = -1;
        StringBuilder window = new StringBuilder();
        int emptyLines = 0;
        for (int first = last; first >= 0 && first > last - MAX_LINES; first--) {
            TextLine line = lines.get(first);
            if (line.isEmpty() && ++emptyLines == 1 && window.indexOf("<") == 0) {
                continue; // some programs write the address in its own paragraph
            }
            if (line.isEmpty()
                    || window.length() + line.words().length() > MAX_LENGTH
                    || (first < last && (line.isQuoted() || marks[first].isSplitter()))
                    || (undated >= 0 && !isDateLine(line))) {
                break;
            }
            window.insert(0, first < last ? line.words() + " " : line.words());
            AttributionLine candidate = new AttributionLine(window.toString());
            if (!candidate.isBalanced() || !candidate.isAttribution(below)) {
                continue;
            }
            boolean complete = candidate.hasOpening() || (best < 0 && candidate.hasDate() && emptyLines == 0);
            if (complete && candidate.hasYear()) {
                return first;
            }
            // Where the line was folded within the date, its year is in the line above.
            undated = complete && undated < 0 ? first : undated;
            best = best < 0 && !Phrases.WROTE.isWhole(candidate.words()) ? first : best;
        }
        return undated >= 0 ? undated : best;
    }

    /** A cheap test, so that most lines are not examined further. */
    private static boolean mayEnd(String words) {
        return !words.isEmpty()
                && words.length() <= MAX_LENGTH
                && (AttributionLine.isEnd(words.charAt(words.length() - 1))
                        || AttributionLine.startsWithIsoDate(words));
    }

    private static boolean isDateLine(TextLine line) {
        String words = line.words();
        return words.length() <= MAX_DATE_LINE
                && AttributionLine.hasYear(words)
                && (Phrases.ON.longest(words, 0) != null
                        || words.chars().filter(Character::isDigit).count() >= LEAST_DIGITS);
    }

    /** What stands below a line, or up to two empty lines below it. */
    private AttributionLine.Below below(int last) {
        for (int i = last + 1; i < lines.size() && i <= last + 3; i++) {
            if (lines.get(i).isEmpty()) {
                continue;
            }
            boolean quoted = lines.get(i).isQuoted() || marks[i] == LineKind.QUOTE;
            return quoted
                    ? AttributionLine.Below.QUOTE
                    : blockquotes.get(i) && !blockquotes.get(last)
                            ? AttributionLine.Below.BLOCKQUOTE
                            : AttributionLine.Below.TEXT;
        }
        return AttributionLine.Below.TEXT;
    }
}
