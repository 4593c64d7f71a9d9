package dev.inboxd.mail.reply;

import dev.inboxd.mail.reply.line.LineClassifier;
import dev.inboxd.mail.reply.line.LineKind;
import dev.inboxd.mail.reply.line.TextLine;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Classifies the lines of an HTML text, by their markup and their words together. */
final class HtmlLineClassifier {
    private HtmlLineClassifier() {}

    /**
     * The kinds of the lines.
     *
     * @param around the markup around each line
     */
    static LineKind[] of(List<@Nullable TextContext> around, List<TextLine> lines) {
        @Nullable LineKind[] preset = new @Nullable LineKind[lines.size()];
        BitSet blockquotes = new BitSet();
        for (int i = 0; i < preset.length; i++) {
            TextContext line = around.get(i);
            preset[i] = line == null ? null : line.mark();
            blockquotes.set(i, preset[i] == null && isInBlockquote(line));
        }
        LineKind[] marks = LineClassifier.of(lines, preset, blockquotes);
        quoteBelowAttributions(around, marks);
        return marks;
    }

    /** A plain blockquote is a quote below an attribution; elsewhere it is a citation of the author's. */
    private static void quoteBelowAttributions(List<@Nullable TextContext> around, LineKind[] marks) {
        for (int i = 1; i < marks.length; i++) {
            int before = marks[i - 1] == LineKind.EMPTY && i > 1 ? i - 2 : i - 1;
            if (marks[i] == LineKind.TEXT && marks[before] == LineKind.ATTRIBUTION && isInBlockquote(around.get(i))) {
                fill(around, marks, i);
            }
        }
    }

    private static boolean isInBlockquote(@Nullable TextContext line) {
        return line != null && line.blockquote() != null;
    }

    /** Marks all lines of the same blockquote as quoted. */
    private static void fill(List<@Nullable TextContext> around, LineKind[] marks, int line) {
        TextContext inside = around.get(line);
        for (int i = line; inside != null && i >= 0 && inside.isBeside(around.get(i)); i--) {
            marks[i] = marks[i] == LineKind.EMPTY ? LineKind.EMPTY : LineKind.QUOTE;
        }
        for (int i = line; inside != null && i < marks.length && inside.isBeside(around.get(i)); i++) {
            marks[i] = marks[i] == LineKind.EMPTY ? LineKind.EMPTY : LineKind.QUOTE;
        }
    }
}
