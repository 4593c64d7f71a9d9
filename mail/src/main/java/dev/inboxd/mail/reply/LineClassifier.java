package dev.inboxd.mail.reply;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Classifies the lines of a message. */
final class LineClassifier {
    private static final List<String> ABOVE_OPENINGS = List.of("please do not write below this line. ", "please ", "");

    private static final int SHORTEST_ABOVE = 15;

    private final List<TextLine> lines;
    private final LineKind[] marks;
    private final Attribution attribution;

    private LineClassifier(List<TextLine> lines) {
        this.lines = lines;
        this.marks = new LineKind[lines.size()];
        this.attribution = new Attribution(lines, marks);
    }

    /** The kinds of lines of plain text. */
    static LineKind[] of(List<TextLine> lines) {
        return of(lines, new @Nullable LineKind[lines.size()]);
    }

    /**
     * The kinds of lines.
     *
     * @param given known kinds of some lines: quoted, or, unless their words say more, an attribution or below a
     *     divider
     */
    static LineKind[] of(List<TextLine> lines, @Nullable LineKind[] given) {
        LineClassifier marks = new LineClassifier(lines);
        for (int i = 0; i < given.length; i++) {
            marks.marks[i] = given[i] == LineKind.QUOTE ? LineKind.QUOTE : LineKind.TEXT;
        }
        for (int i = 0; i < given.length; ) {
            i = given[i] == LineKind.QUOTE ? i + 1 : marks.mark(i);
        }
        for (int i = 0; i < given.length; i++) {
            LineKind mark = given[i];
            boolean isPlain = marks.marks[i] == LineKind.TEXT || marks.marks[i] == LineKind.RULE;
            marks.marks[i] = mark != null && isPlain ? mark : marks.marks[i];
        }
        return marks.marks;
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
        } else if (line.isQuoted()) {
            marks[i] = LineKind.QUOTE;
            markAttribution(i, endsAddress(i));
        } else if (isDivider(line, Phrases.ORIGINAL, false) || asksForAnswerAbove(line)) {
            marks[i] = LineKind.ORIGINAL;
        } else if (isDivider(line, Phrases.FORWARDED, true)) {
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
        return before >= 0 && (marks[before] == LineKind.RULE || marks[before].isSplitter());
    }

    /** GroupWise's attribution: {@code >>> Ann <ann@example.com> 5/5/2025 10:00 AM >>>}. */
    private static boolean isGroupWise(TextLine line) {
        String words = line.words();
        return words.length() > 6
                && words.length() < 200
                && words.startsWith(">>> ")
                && words.endsWith(" >>>")
                && Attribution.hasDate(words);
    }

    /** The line that ticket systems put below the place for an answer: alone, or between signs. */
    private static boolean asksForAnswerAbove(TextLine line) {
        String words = line.words();
        if (words.length() < SHORTEST_ABOVE || words.length() > 150) {
            return false;
        }
        String plain = line.plain();
        for (String polite : ABOVE_OPENINGS) {
            if (plain.startsWith(polite)) {
                PhraseTree.Match match = Phrases.ABOVE.longest(plain, polite.length());
                return match != null && (match.edge() == plain.length() || plain.length() < words.length());
            }
        }
        return false;
    }

    /** Whether the line is a phrase between dashes, or a phrase with a colon. */
    private static boolean isDivider(TextLine line, PhraseTree phrases, boolean colonSuffices) {
        String words = line.words();
        if (words.length() > 150) {
            return false;
        }
        char first = words.charAt(0);
        boolean dashes = "-_=*—–─".indexOf(first) >= 0 && words.length() > 4;
        boolean colon = words.endsWith(":") || words.endsWith("：");
        if (!dashes && !(colon && colonSuffices)) {
            return false;
        }
        String plain = line.plain();
        PhraseTree.Match match = phrases.longest(plain, 0);
        if (match == null) {
            return false;
        }
        boolean closed = dashes && "-_=*—–─".indexOf(words.charAt(words.length() - 1)) >= 0;
        int rest = plain.length() - match.edge();
        return rest == 0 || closed || (rest == 1 && colon);
    }
}
