package dev.inboxd.mail.markdown.measure;

/** The signs before quoted lines of text (RFC 3676 §4.5), and initials before them: {@code AB> }. */
public final class QuoteMarks {
    /** Most signs that are told apart. */
    public static final int DEEPEST = 8;

    private static final int MOST_INITIALS = 3;

    private QuoteMarks() {}

    /** How many signs a line has. */
    public static int depth(String line) {
        int depth = 0;
        for (int i = end(line) - 1; i >= 0; i--) {
            depth += line.charAt(i) == '>' ? 1 : 0;
        }
        return depth;
    }

    /** The line without them. */
    public static String without(String line) {
        int end = end(line);
        boolean space = end > 0 && end < line.length() && line.charAt(end) == ' ';
        return line.substring(space ? end + 1 : end);
    }

    /** The end of the signs; one space may stand between two. */
    private static int end(String line) {
        int first = 0;
        while (first < line.length() && line.charAt(first) == ' ') {
            first++;
        }
        int initials = first;
        while (initials < line.length()
                && initials < first + MOST_INITIALS
                && Character.isLetter(line.charAt(initials))) {
            initials++;
        }
        if (initials == line.length() || line.charAt(initials) != '>') {
            return 0;
        }
        int end = initials + 1;
        for (int i = end; i < line.length() && i <= end + 1; i++) {
            if (line.charAt(i) == '>') {
                end = i + 1;
            } else if (line.charAt(i) != ' ') {
                break;
            }
        }
        return end;
    }
}
