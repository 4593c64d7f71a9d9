package dev.inboxd.mail.screen;

import dev.inboxd.mail.screen.HiddenText.Hiding;
import dev.inboxd.mail.screen.HiddenText.Passage;
import java.util.ArrayList;
import java.util.List;

/** Gathers the passages of one mail that a person does not see, in their order. Bounded, whatever the mail holds. */
final class Passages {
    private static final int MOST = 200;
    private static final int LONGEST = 2_000;

    /** What is shorter is joined with what follows: an order can be spread over single letters. */
    private static final int BRIEF = 20;

    private final List<Passage> all = new ArrayList<>();
    private final StringBuilder current = new StringBuilder();
    private Hiding how = Hiding.UNSHOWN;
    private int piece;
    private boolean gap;

    /** Adds text; what is hidden alike, and follows at once, is one passage. */
    void add(Hiding hiding, CharSequence text) {
        boolean separate = hiding != how || (gap && current.length() - piece >= BRIEF);
        if (separate) {
            finish();
        }
        how = hiding;
        if (gap) {
            piece = current.length();
        }
        if (gap && !current.isEmpty()) {
            current.append(' ');
        }
        gap = false;
        for (int i = 0; i < text.length() && current.length() < LONGEST; i++) {
            char c = text.charAt(i);
            if (c > ' ' && c != '\u00A0') {
                current.append(c);
            } else if (!current.isEmpty() && current.charAt(current.length() - 1) > ' ') {
                current.append(' ');
            }
        }
    }

    /** Something that a person sees follows. */
    void gap() {
        gap = true;
    }

    /** The passages with a letter or digit; more than two hundred are not told apart. */
    List<Passage> all() {
        finish();
        return all;
    }

    private void finish() {
        if (all.size() < MOST && current.chars().anyMatch(Character::isLetterOrDigit)) {
            all.add(new Passage(how, current.toString().strip(), false));
        }
        current.setLength(0);
        piece = 0;
        gap = false;
    }
}
