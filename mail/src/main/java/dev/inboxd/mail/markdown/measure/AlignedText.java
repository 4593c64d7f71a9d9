package dev.inboxd.mail.markdown.measure;

import java.util.List;

/** Lines whose spaces mean something: code, drawings, columns (markdown.md §2). */
public final class AlignedText {
    private static final String INDENT = "    ";
    private static final int GAP = 3;

    private AlignedText() {}

    /** Whether all of the lines are indented, or two thirds of them hold box characters or columns. */
    public static boolean is(List<String> lines) {
        int indented = 0;
        int aligned = 0;
        for (String line : lines) {
            indented += line.startsWith(INDENT) || line.startsWith("\t") ? 1 : 0;
            aligned += isBox(line) || hasColumns(line) ? 1 : 0;
        }
        return indented == lines.size() || 3L * aligned >= 2L * lines.size();
    }

    /** Characters of Unicode's boxes, and rows of ASCII between bars or plus signs. */
    private static boolean isBox(String line) {
        String bare = line.strip();
        char first = bare.charAt(0);
        char last = bare.charAt(bare.length() - 1);
        boolean row = bare.length() > 2 && ((first == '|' && last == '|') || (first == '+' && last == '+'));
        return row || line.chars().anyMatch(c -> c >= 0x2500 && c <= 0x259F);
    }

    /** Whether a gap of spaces stands between words. */
    private static boolean hasColumns(String line) {
        int gap = 0;
        boolean words = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == ' ' || c == '\u00A0' || c == '\t') {
                gap += c == '\t' ? GAP : 1;
            } else if (words && gap >= GAP) {
                return true;
            } else {
                words = true;
                gap = 0;
            }
        }
        return false;
    }
}
