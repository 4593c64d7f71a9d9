package dev.inboxd.mail.screen;

import dev.inboxd.mail.screen.HiddenText.Hiding;
import dev.inboxd.mail.screen.HiddenText.Passage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Characters without shape that say something, or stand inside words. */
final class Concealments {
    private static final int MOST = 5;
    private static final int AROUND = 40;
    private static final int LONGEST = 2_000;

    private Concealments() {}

    /** Adds what invisible characters of a text say, and the first words that have such characters inside. */
    static void in(@Nullable String text, List<Passage> passages) {
        if (text == null) {
            return;
        }
        String said = Steganography.read(text).strip();
        if (!said.isEmpty()) {
            String cut = said.length() > LONGEST ? said.substring(0, LONGEST) : said;
            passages.add(new Passage(Hiding.CHARACTERS, cut, false));
        }
        int words = 0;
        int end = 0;
        for (int i = 0; i < text.length() && words < MOST; i++) {
            char c = text.charAt(i);
            boolean odd = c >= 0x200B && Invisibles.isInvisible(c) && (Invisibles.conceals(text, i, c) || turns(c));
            if (odd && i >= end) {
                int start = start(text, i);
                end = end(text, i);
                passages.add(new Passage(Hiding.CHARACTERS, named(text.substring(start, end)), false));
                words++;
            }
        }
    }

    /** Whether it turns the letters around it: a text is read in another order than it is written. */
    private static boolean turns(char c) {
        return c == 0x202D || c == 0x202E;
    }

    private static int start(String text, int at) {
        int start = at;
        while (start > 0 && at - start < AROUND && text.charAt(start - 1) > ' ') {
            start--;
        }
        return start;
    }

    private static int end(String text, int at) {
        int end = at + 1;
        while (end < text.length() && end - at < AROUND && text.charAt(end) > ' ') {
            end++;
        }
        return end;
    }

    /** A word whose characters without shape have their numbers instead. */
    private static String named(String word) {
        StringBuilder named = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (Invisibles.isInvisible(c)) {
                named.append(String.format("[U+%04X]", (int) c));
            } else {
                named.append(c);
            }
        }
        return named.toString();
    }
}
