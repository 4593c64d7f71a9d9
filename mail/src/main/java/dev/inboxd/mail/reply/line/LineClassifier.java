package dev.inboxd.mail.reply.line;

import dev.inboxd.mail.reply.phrase.Phrases;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies the lines of a message. */
public final class LineClassifier {
    private final List<TextLine> lines;
    private final LineKind[] marks;
    private final Attribution attribution;
    /** The links and the codes whose signs quote. */
    private final Set<Object> quoting = new HashSet<>();

    private LineClassifier(List<TextLine> lines, BitSet blockquotes) {
        this.lines = lines;
        this.marks = new LineKind[lines.size()];
        this.attribution = new Attribution(lines, marks, blockquotes);
    }

    /** The kinds of lines of plain text. */
    public static LineKind[] of(List<TextLine> lines) {
        return of(lines, new @Nullable LineKind[lines.size()], new BitSet());
    }

    /**
     * The kinds of lines.
     *
     * @param preset known kinds of some lines: quoted, or, unless their words say more, an attribution or below a
     *     divider
     * @param blockquotes lines in blockquotes of HTML that nothing else says to be quoted
     */
    public static LineKind[] of(List<TextLine> lines, @Nullable LineKind[] preset, BitSet blockquotes) {
        LineClassifier marks = new LineClassifier(lines, blockquotes);
        for (int i = 0; i < preset.length; i++) {
            marks.marks[i] = preset[i] == LineKind.QUOTE ? LineKind.QUOTE : LineKind.TEXT;
        }
        for (int i = 0; i < preset.length; ) {
            i = preset[i] == LineKind.QUOTE ? i + 1 : marks.mark(i);
        }
        marks.markTitles();
        for (int i = 0; i < preset.length; i++) {
            LineKind mark = preset[i];
            boolean isPlain = marks.marks[i] == LineKind.TEXT || marks.marks[i] == LineKind.RULE;
            marks.marks[i] = mark != null && isPlain ? mark : marks.marks[i];
        }
        return marks.marks;
    }

    /** Whether a line says that what stands below it is forwarded, behind signs of quotation, too. */
    public static boolean isForward(TextLine line) {
        String words = line.words();
        int start = 0;
        while (start < words.length() && (words.charAt(start) == '>' || words.charAt(start) == ' ')) {
            start++;
        }
        return Dividers.is(TextLine.of(words.substring(start)), Phrases.FORWARDED, true);
    }

    /**
     * Classifies a line, or several from it on.
     *
     * @return the index of the next line
     */
    private int mark(int i) {
        TextLine line = lines.get(i);
        if (line.isPlain()) {
            return i + 1;
        }
        if (line.isEmpty()) {
            marks[i] = LineKind.EMPTY;
        } else if (line.text().stripTrailing().equals("--")) {
            marks[i] = LineKind.SIGNATURE;
        } else if (line.isRule()) {
            marks[i] = LineKind.RULE;
        } else if (isGroupWise(line)) {
            marks[i] = LineKind.ATTRIBUTION;
        } else if (line.isQuoted() && quotes(i)) {
            marks[i] = LineKind.QUOTE;
            markAttribution(i, endsAddress(i));
        } else if (Dividers.is(line, Phrases.ORIGINAL, false) || Dividers.asksForAnswerAbove(line)) {
            marks[i] = LineKind.ORIGINAL;
        } else if (Dividers.is(line, Phrases.FORWARDED, true)) {
            marks[i] = LineKind.FORWARD;
        } else {
            int end = QuotedHeader.endOf(lines, i, isAfterDivider(i));
            if (end > i) {
                Arrays.fill(marks, i, end, LineKind.HEADER);
                return end;
            }
            markAttribution(i, true);
        }
        return i + 1;
    }

    /** Whether a sign quotes: that of a link or of code only below an attribution or another quoted line. */
    private boolean quotes(int i) {
        Object holder = lines.get(i).signHolder;
        if (holder == null || quoting.contains(holder)) {
            return true;
        }
        int above = i > 0 && marks[i - 1] == LineKind.EMPTY ? i - 2 : i - 1;
        LineKind mark = above < 0 ? LineKind.TEXT : marks[above];
        boolean quotes = mark == LineKind.ATTRIBUTION
                || (mark == LineKind.QUOTE && lines.get(above).isQuoted());
        return quotes && quoting.add(holder);
    }

    /** A line of words between dashes above the fields of a quoted message is a divider in every language. */
    private void markTitles() {
        for (int i = 1; i < marks.length; i++) {
            int above = marks[i - 1] == LineKind.EMPTY && i > 1 ? i - 2 : i - 1;
            if (marks[i] == LineKind.HEADER && marks[above] == LineKind.TEXT && Dividers.isTitle(lines.get(above))) {
                marks[above] = LineKind.ORIGINAL;
            }
        }
    }

    private void markAttribution(int last, boolean possible) {
        int first = possible ? attribution.startOf(last) : -1;
        if (first >= 0) {
            Arrays.fill(marks, first, last + 1, LineKind.ATTRIBUTION);
        }
    }

    /** Whether a line that looks quoted really is the end of an address that was wrapped before its {@code >}. */
    private boolean endsAddress(int i) {
        if (i == 0 || lines.get(i).words().length() > 80) {
            return false;
        }
        TextLine before = lines.get(i - 1);
        boolean isOpen = !before.isQuoted()
                && before.words().lastIndexOf('<') > before.words().lastIndexOf('>');
        return isOpen || before.words().startsWith("mailto:");
    }

    private boolean isAfterDivider(int i) {
        int before = i - 1;
        while (before >= 0 && before > i - 3 && marks[before] == LineKind.EMPTY) {
            before--;
        }
        return before >= 0 && marks[before].isSplitter();
    }

    /** GroupWise's attribution: {@code >>> Ann <ann@example.com> 5/5/2025 10:00 AM >>>}. */
    private static boolean isGroupWise(TextLine line) {
        String words = line.words();
        return words.length() > 6
                && words.length() < 200
                && words.startsWith(">>> ")
                && words.endsWith(" >>>")
                && AttributionLine.hasDate(words);
    }
}
