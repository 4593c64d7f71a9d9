package dev.inboxd.mail.markdown.inline;

/** The controls of direction that a text leaves open (Unicode Bidirectional Algorithm, X1 to X8). */
final class Directions {
    private static final int MOST = 125;

    private Directions() {}

    /** What closes them, in order. */
    static char[] missing(char[] text, int from, int to) {
        char[] open = new char[MOST];
        int depth = 0;
        for (int i = from; i < to; i++) {
            char c = text[i];
            if (c < '\u202A' || c > '\u2069') {
                continue;
            }
            if ((c <= '\u202E' && c != '\u202C') || (c >= '\u2066' && c <= '\u2068')) {
                if (depth < MOST) {
                    open[depth++] = c <= '\u202E' ? '\u202C' : '\u2069';
                }
            } else if (c == '\u202C' && depth > 0 && open[depth - 1] == c) {
                depth--;
            } else if (c == '\u2069') {
                int at = depth - 1;
                while (at >= 0 && open[at] != c) {
                    at--;
                }
                depth = at < 0 ? depth : at;
            }
        }
        char[] missing = new char[depth];
        for (int i = 0; i < depth; i++) {
            missing[i] = open[depth - 1 - i];
        }
        return missing;
    }
}
