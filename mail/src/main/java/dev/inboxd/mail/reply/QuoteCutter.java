package dev.inboxd.mail.reply;

import dev.inboxd.mail.reply.line.LineClassifier;
import dev.inboxd.mail.reply.line.LineKind;
import dev.inboxd.mail.reply.line.TextLine;
import java.util.BitSet;
import java.util.List;

/**
 * Selects the lines of a message that its sender wrote. Everything below an attribution, a divider or a header block
 * is cut, unless the sender answers in between; then quotes and answers stay.
 */
final class QuoteCutter {
    private static final int MAX_SIGNATURE_LINES = 12;

    private final List<TextLine> lines;
    private final LineKind[] marks;
    private final BitSet keptLines = new BitSet();
    private final int lastQuote;
    /** Whether there is text of the sender above. */
    private boolean note;
    /** Whether an attribution was found, which makes quotes history. */
    private boolean history;

    private boolean forward;
    /** The line of a signature below the cut, or -1. */
    private int signature = -1;

    private QuoteCutter(List<TextLine> lines, LineKind[] marks) {
        this.lines = lines;
        this.marks = marks;
        int last = marks.length - 1;
        while (last >= 0 && marks[last] != LineKind.QUOTE) {
            last--;
        }
        lastQuote = last;
    }

    static QuoteCutter of(List<TextLine> lines, LineKind[] marks) {
        QuoteCutter cut = new QuoteCutter(lines, marks);
        cut.decide();
        return cut;
    }

    /** The indexes of the lines to keep; empty when the sender wrote none. */
    BitSet keptLines() {
        return keptLines;
    }

    /** Whether everything is kept because the message forwards another one without a comment. */
    boolean isForward() {
        return forward;
    }

    /** The first quote or splitter below words of the sender; the number of lines when there is none. */
    static int firstQuote(List<TextLine> lines, LineKind[] marks) {
        boolean note = false;
        for (int i = 0; i < marks.length; i++) {
            if (note && (marks[i] == LineKind.QUOTE || marks[i].isSplitter())) {
                return i;
            }
            note = note || (marks[i] == LineKind.TEXT && !lines.get(i).isDevice());
        }
        return marks.length;
    }

    private void decide() {
        keptLines.set(0, marks.length);
        int end = splitters();
        if (forward) {
            return;
        }
        if (!note) {
            withoutNote();
            return;
        }
        boolean belowQuote = signature >= 0;
        int tail = belowQuote ? signature : signatureIn(end);
        int top = trimmed(tail < 0 || belowQuote ? end : tail);
        keptLines.clear(top, marks.length);
        if (tail >= 0) {
            keepSignature(tail, belowQuote ? marks.length : end);
        }
    }

    /**
     * Goes from splitter to splitter.
     *
     * @return the end of the sender's part
     */
    private int splitters() {
        for (int i = 0; i < marks.length; ) {
            if (!marks[i].isSplitter()) {
                note = note || (marks[i] == LineKind.TEXT && !lines.get(i).isDevice());
                i++;
                continue;
            }
            int after = endOfRun(i, marks[i]);
            if (!note && marks[i] != LineKind.ATTRIBUTION) {
                keptLines.set(0, marks.length);
                forward = true;
                return marks.length;
            }
            int quoteEnd = LineKind.endOfQuote(marks, after);
            boolean answered = marks[i] == LineKind.ATTRIBUTION && isQuote(after) && isOwn(quoteEnd);
            if (note && !answered) {
                signature = isQuote(after) ? signatureAt(quoteEnd) : -1;
                return i;
            }
            history = true;
            keptLines.clear(i, after);
            if (!note && answered && lastQuote < quoteEnd) {
                keptLines.clear(after, quoteEnd); // the answer follows a single quote
            }
            i = after;
        }
        return marks.length;
    }

    private void withoutNote() {
        int first = nonEmpty(0);
        boolean isQuote = first < marks.length && marks[first] == LineKind.QUOTE;
        if (history || (isQuote && isQuotedAttribution(first))) {
            keptLines.clear();
        }
    }

    private boolean isQuotedAttribution(int first) {
        String words = lines.get(first).words();
        int start = 0;
        while (start < words.length() && (words.charAt(start) == '>' || words.charAt(start) == ' ')) {
            start++;
        }
        return LineClassifier.of(List.of(TextLine.of(words.substring(start))))[0] == LineKind.ATTRIBUTION;
    }

    /** The end of the sender's text in the lines before {@code end}. */
    private int trimmed(int end) {
        int top = footer(end);
        int firstText = nonEmpty(0);
        while (firstText < top && (marks[firstText] != LineKind.TEXT || !keptLines.get(firstText))) {
            firstText++;
        }
        top = Notices.start(lines, marks, Math.min(firstText + 1, top), top);
        // A quote without an attribution was chosen by hand above one with it, and where words introduce it.
        boolean keepsQuotes = (end < marks.length && marks[end].isSplitter()) || isIntroduced(top);
        while (top > 0 && isDispensable(top - 1) && !(keepsQuotes && marks[top - 1] == LineKind.QUOTE)) {
            top--;
        }
        return top;
    }

    /** Whether the quote that ends there stands below a line of the sender's that ends with a colon. */
    private boolean isIntroduced(int end) {
        int i = end - 1;
        while (i >= 0 && (marks[i] == LineKind.QUOTE || marks[i] == LineKind.EMPTY)) {
            i--;
        }
        return i >= 0 && marks[i] == LineKind.TEXT && lines.get(i).words().endsWith(":");
    }

    private boolean isDispensable(int i) {
        return switch (marks[i]) {
            case EMPTY, QUOTE, SIGNATURE, RULE, ATTRIBUTION, HEADER, ORIGINAL, FORWARD -> true;
            case TEXT -> lines.get(i).isDevice();
        };
    }

    /**
     * The start of a mailing list's footer: lists add a line of underscores and their own text below the messages they
     * forward.
     */
    private int footer(int end) {
        int below = nonEmpty(lastQuote + 1);
        return lastQuote >= 0 && lastQuote < end && below < end && marks[below] == LineKind.RULE ? below : end;
    }

    /** What stands below dashes, signature or not: a line of dashes cuts nothing. */
    private void keepSignature(int from, int to) {
        int end = Notices.start(lines, marks, from + 1, to);
        while (end > from && isDispensable(end - 1)) {
            end--;
        }
        if (end > from) {
            keptLines.set(from - 1 >= 0 && marks[from - 1] == LineKind.EMPTY ? from - 1 : from, end);
        }
    }

    /** The last signature before {@code end}, when only a few lines and no quotes follow it. */
    private int signatureIn(int end) {
        int used = 0;
        for (int i = end - 1; i > 0 && used <= MAX_SIGNATURE_LINES; i--) {
            if (marks[i] == LineKind.SIGNATURE) {
                return i;
            }
            if (marks[i] == LineKind.QUOTE || marks[i].isSplitter()) {
                return -1;
            }
            used += marks[i] == LineKind.EMPTY ? 0 : 1;
        }
        return -1;
    }

    private int signatureAt(int i) {
        boolean is = i < marks.length && marks[i] == LineKind.SIGNATURE && signatureIn(marks.length) == i;
        return is ? i : -1;
    }

    private boolean isQuote(int from) {
        int first = nonEmpty(from);
        return first < marks.length && marks[first] == LineKind.QUOTE;
    }

    private boolean isOwn(int i) {
        return i < marks.length
                && marks[i] == LineKind.TEXT
                && !lines.get(i).isDevice()
                && !Notices.isNotice(lines, marks, i);
    }

    private int endOfRun(int from, LineKind mark) {
        int i = from;
        while (i < marks.length && marks[i] == mark) {
            i++;
        }
        return i;
    }

    private int nonEmpty(int from) {
        return endOfRun(from, LineKind.EMPTY);
    }
}
