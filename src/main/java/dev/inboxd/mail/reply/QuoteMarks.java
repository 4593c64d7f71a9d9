package dev.inboxd.mail.reply;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The marks of the lines of an HTML text: what its markup and its words tell together. */
final class QuoteMarks {
    private QuoteMarks() {}

    /**
     * The marks of lines.
     *
     * @param around what each line stands in
     */
    static Mark[] of(List<@Nullable Around> around, List<Line> lines) {
        @Nullable Mark[] given = new @Nullable Mark[lines.size()];
        for (int i = 0; i < given.length; i++) {
            Around line = around.get(i);
            given[i] = line == null ? null : line.mark();
        }
        int last = given.length - 1;
        boolean endsQuoted = last >= 0 && given[last] == null && isInBlockquote(around.get(last));
        Mark[] marks = Marks.of(lines, given);
        quoteBelowAttributions(around, marks);
        if (endsQuoted) {
            fill(around, marks, last);
        }
        return marks;
    }

    /** A plain blockquote is one after an attribution; otherwise it may be a citation. */
    private static void quoteBelowAttributions(List<@Nullable Around> around, Mark[] marks) {
        for (int i = 1; i < marks.length; i++) {
            int before = marks[i - 1] == Mark.EMPTY && i > 1 ? i - 2 : i - 1;
            if (marks[i] == Mark.TEXT && marks[before] == Mark.ATTRIBUTION && isInBlockquote(around.get(i))) {
                fill(around, marks, i);
            }
        }
    }

    private static boolean isInBlockquote(@Nullable Around line) {
        return line != null && line.blockquote() != null;
    }

    /** Marks all lines that are in the same blockquote. */
    private static void fill(List<@Nullable Around> around, Mark[] marks, int line) {
        Around inside = around.get(line);
        for (int i = line; inside != null && i >= 0 && inside.isBeside(around.get(i)); i--) {
            marks[i] = marks[i] == Mark.EMPTY ? Mark.EMPTY : Mark.QUOTE;
        }
        for (int i = line; inside != null && i < marks.length && inside.isBeside(around.get(i)); i++) {
            marks[i] = marks[i] == Mark.EMPTY ? Mark.EMPTY : Mark.QUOTE;
        }
    }
}
