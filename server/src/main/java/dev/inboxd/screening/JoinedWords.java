package dev.inboxd.screening;

/**
 * Takes the words out of the tokens of a header field: letters in a row, with few digits in them, a capital behind a
 * small letter beginning the next.
 */
final class JoinedWords {
    /** Letters and digits from which a row of them is no word. */
    private static final int LONG = 24;
    /** Letters of a word on average at least; in a code the case changes more often. */
    private static final int USUAL = 3;

    /** Words that signs join from which they say something; ids, addresses, hosts and times have fewer. */
    private static final int FEWEST = 4;

    private final String value;
    private final StringBuilder words = new StringBuilder();
    private int count;

    /** The words of a value; none yet. */
    JoinedWords(String value) {
        this.value = value;
    }

    /** Adds those of a token; none of one that is a code, and none of a few that are joined. */
    void add(int from, int to) {
        int length = words.length();
        int before = count;
        int start = from;
        int letters = 0;
        int parts = 0;
        boolean plain = true;
        for (int i = from; i <= to; i++) {
            char c = i < to ? value.charAt(i) : ' ';
            boolean letter = Character.isLetter(c);
            boolean next = letter && i > start && isCapital(c) && !isCapital(value.charAt(i - 1));
            if (next || !(letter || Character.isDigit(c) || c == '\'')) {
                add(start, i, letters);
                parts += !next && i > start ? 1 : 0;
                plain &= next || i == to || c == '-' || c == '_';
                start = next ? i : i + 1;
                letters = 0;
            }
            letters += letter ? 1 : 0;
        }
        int more = count - before;
        boolean few = parts > 1 && more < FEWEST && !plain;
        if (few || (to - from >= LONG && words.length() - length - more < USUAL * more)) {
            words.setLength(length);
            count = before;
        }
    }

    private void add(int from, int to, int letters) {
        if (letters > 1 && 2 * letters > to - from && to - from < LONG) {
            words.append(value, from, to).append(' ');
            count++;
        }
    }

    private static boolean isCapital(char c) {
        return c < 0x80 ? c >= 'A' && c <= 'Z' : Character.isUpperCase(c);
    }

    int count() {
        return count;
    }

    /** The words, with spaces between. */
    String text() {
        return words.toString();
    }
}
