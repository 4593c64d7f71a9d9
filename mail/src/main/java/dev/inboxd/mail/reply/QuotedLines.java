package dev.inboxd.mail.reply;

import dev.inboxd.mail.reply.line.LineClassifier;
import dev.inboxd.mail.reply.line.LineKind;
import dev.inboxd.mail.reply.line.TextLine;
import dev.inboxd.mail.text.HtmlLine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The quotations of a message: what extraction cuts as conversation, also where the author answers between the lines.
 * A forward has none; neither have the lines below a header block in a message that answers none (markdown.md §4).
 */
public final class QuotedLines {
    private final List<TextLine> lines;
    private final LineKind[] marks;
    private final boolean isReply;
    private final BitSet keptLines;
    private final List<QuotedPart> parts = new ArrayList<>();
    private boolean note;

    private QuotedLines(List<TextLine> lines, LineKind[] marks, boolean isReply) {
        this.lines = lines;
        this.marks = marks;
        this.isReply = isReply;
        boolean any = Arrays.stream(marks).anyMatch(mark -> mark == LineKind.QUOTE || mark.isSplitter());
        QuoteCutter cutter = any ? QuoteCutter.of(lines, marks) : null;
        keptLines = cutter == null ? new BitSet() : cutter.keptLines();
        if (cutter != null && !cutter.isForward()) {
            find();
        }
    }

    /**
     * Those of HTML.
     *
     * @param htmlLines its lines
     * @param around the markup around each line
     * @param isReply whether the message says that it answers another
     */
    static List<QuotedPart> of(List<HtmlLine> htmlLines, List<@Nullable TextContext> around, boolean isReply) {
        List<TextLine> lines = new ArrayList<>(htmlLines.size());
        htmlLines.forEach(line -> lines.add(TextLine.of(line.text(), line.signHolder())));
        return new QuotedLines(lines, HtmlLineClassifier.of(around, lines), isReply).parts;
    }

    /**
     * Those of plain text.
     *
     * @param textLines its lines
     * @param isFlowed whether its lines were joined (RFC 3676): then a line of the author's own that begins with {@code
     *     >} has a space before it
     * @param isReply whether the message says that it answers another
     */
    public static List<QuotedPart> of(List<String> textLines, boolean isFlowed, boolean isReply) {
        List<TextLine> lines = new ArrayList<>(textLines.size());
        for (String line : textLines) {
            lines.add(isFlowed ? TextLine.of(line).unstuffed() : TextLine.of(line));
        }
        return new QuotedLines(lines, LineClassifier.of(lines), isReply).parts;
    }

    private void find() {
        for (int i = 0; i < marks.length; ) {
            int end = switch (marks[i]) {
                case QUOTE -> LineClassifier.isForward(lines.get(i)) ? -1 : LineKind.endOfQuote(marks, i);
                case ATTRIBUTION -> endOfAttributed(i);
                case HEADER, ORIGINAL -> note && isReply ? marks.length : -1;
                case FORWARD -> -1;
                default -> i;
            };
            if (end < 0) {
                return; // what is forwarded is whole
            }
            if (end == i) {
                note = note || isOwn(i);
                i++;
            } else {
                add(i, end);
                i = end;
            }
        }
    }

    private void add(int from, int end) {
        int start = startOf(from);
        int last = end;
        while (last > start && marks[last - 1] == LineKind.EMPTY) {
            last--;
        }
        int next = end;
        while (next < marks.length && (marks[next] == LineKind.EMPTY || marks[next] == LineKind.RULE)) {
            next++;
        }
        boolean answered = next < marks.length && isOwn(next) && !Notices.isNotice(lines, marks, next);
        boolean allKept = keptLines.nextClearBit(start) >= last;
        parts.add(new QuotedPart(
                start, last, answered, allKept && marks[start] == LineKind.QUOTE && isIntroduced(start)));
    }

    /** A line of dashes above a header block or a divider is a part of it. */
    private int startOf(int from) {
        int above = from - 1;
        while (above >= 0 && marks[above] == LineKind.EMPTY) {
            above--;
        }
        boolean headed = marks[from] == LineKind.HEADER || marks[from] == LineKind.ORIGINAL;
        return headed && above >= 0 && marks[above] == LineKind.RULE ? above : from;
    }

    private boolean isOwn(int i) {
        return marks[i] == LineKind.TEXT && !lines.get(i).isDevice();
    }

    private boolean isIntroduced(int start) {
        int i = start - 1;
        while (i >= 0 && marks[i] == LineKind.EMPTY) {
            i--;
        }
        return i >= 0 && marks[i] == LineKind.TEXT && lines.get(i).words().endsWith(":");
    }

    /** The end of an attribution with what it attributes: a quote, else everything below where words stand above. */
    private int endOfAttributed(int from) {
        int after = from;
        while (after < marks.length && marks[after] == LineKind.ATTRIBUTION) {
            after++;
        }
        int end = LineKind.endOfQuote(marks, after);
        boolean quoted = false;
        for (int i = after; i < end; i++) {
            quoted |= marks[i] == LineKind.QUOTE;
        }
        return quoted ? end : note ? marks.length : after;
    }
}
