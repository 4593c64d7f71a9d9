package dev.inboxd.mail.reply;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells of each line what it is. */
final class Marks {
    private final List<Line> lines;
    private final Mark[] marks;
    private final Attribution attribution;

    private Marks(List<Line> lines) {
        this.lines = lines;
        this.marks = new Mark[lines.size()];
        this.attribution = new Attribution(lines, marks);
    }

    /** The marks of lines of plain text. */
    static Mark[] of(List<Line> lines) {
        return of(lines, new @Nullable Mark[lines.size()]);
    }

    /**
     * The marks of lines.
     *
     * @param given what is known of some: quoted, or, unless their words tell more, an attribution or below a divider
     */
    static Mark[] of(List<Line> lines, @Nullable Mark[] given) {
        Marks marks = new Marks(lines);
        for (int i = 0; i < given.length; i++) {
            marks.marks[i] = given[i] == Mark.QUOTE ? Mark.QUOTE : Mark.TEXT;
        }
        for (int i = 0; i < given.length; ) {
            i = given[i] == Mark.QUOTE ? i + 1 : marks.mark(i);
        }
        for (int i = 0; i < given.length; i++) {
            Mark mark = given[i];
            boolean isPlain = marks.marks[i] == Mark.TEXT || marks.marks[i] == Mark.RULE;
            marks.marks[i] = mark != null && isPlain ? mark : marks.marks[i];
        }
        return marks.marks;
    }

    /** Marks a line, or several from it on, and returns the next one. */
    private int mark(int i) {
        Line line = lines.get(i);
        if (line.isPlain()) {
            return i + 1;
        }
        if (line.isEmpty()) {
            marks[i] = Mark.EMPTY;
        } else if (line.text().stripTrailing().equals("--")) {
            marks[i] = Mark.SIGNATURE;
        } else if (line.isRule()) {
            marks[i] = Mark.RULE;
        } else if (line.isQuoted()) {
            marks[i] = Mark.QUOTE;
            markAttribution(i, endsAddress(i));
        } else if (isDivider(line, Phrases.ORIGINAL, false)) {
            marks[i] = Mark.ORIGINAL;
        } else if (isDivider(line, Phrases.FORWARDED, true)) {
            marks[i] = Mark.FORWARD;
        } else {
            int end = QuotedHeader.endOf(lines, i, isAfterDivider(i));
            if (end > i) {
                Arrays.fill(marks, i, end, Mark.HEADER);
                return end;
            }
            markAttribution(i, true);
        }
        return i + 1;
    }

    private void markAttribution(int last, boolean possible) {
        int first = possible ? attribution.startOf(last) : -1;
        if (first >= 0) {
            Arrays.fill(marks, first, last + 1, Mark.ATTRIBUTION);
        }
    }

    /** A line that looks quoted, and really ends an address that was wrapped before its {@code >}. */
    private boolean endsAddress(int i) {
        if (i == 0 || lines.get(i).words().length() > 80) {
            return false;
        }
        Line before = lines.get(i - 1);
        boolean isOpen = !before.isQuoted()
                && before.words().lastIndexOf('<') > before.words().lastIndexOf('>');
        return isOpen || before.words().startsWith("mailto:");
    }

    private boolean isAfterDivider(int i) {
        int before = i - 1;
        while (before >= 0 && before > i - 3 && marks[before] == Mark.EMPTY) {
            before--;
        }
        return before >= 0 && (marks[before] == Mark.RULE || marks[before].isSplitter());
    }

    /** Dashes around a phrase, or the phrase and a colon. */
    private static boolean isDivider(Line line, PhraseTree phrases, boolean colonSuffices) {
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
