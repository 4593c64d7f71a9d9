package dev.inboxd.mail.markdown.page;

import java.util.Locale;

/** The bullets and numbers of items that mail programs write as text. */
public final class Bullets {
    private static final String SIGNS = "\u00B7\u2022\u2013\u00A7\u25AA\u25CF\u25E6\u2023";
    private static final int MOST_NODES = 200;
    private static final int FEW_NODES = 12;
    private static final int LONGEST_MARK = 60;
    private static final int CHARACTERS_OF_A_STEP = 16;

    private Bullets() {}

    public static boolean isBullet(char c) {
        return SIGNS.indexOf(c) >= 0;
    }

    /** Whether a bullet is all that an element shows. */
    public static boolean isBullet(SeenNodes nodes, int i) {
        StringBuilder words = new StringBuilder();
        for (int k = i; k < nodes.end(i); k++) {
            if (k > i + FEW_NODES || Pictures.isSeen(nodes, k)) {
                return false;
            }
            words.append(nodes.text(k));
        }
        String bare = words.toString().replace('\u00A0', ' ').strip();
        return bare.length() == 1 && isBullet(bare.charAt(0));
    }

    /** Whether an element is the bullet or the number of an item. */
    public static boolean isMark(SeenNodes nodes, int i) {
        String style = nodes.attribute(i, "style");
        nodes.work().spend(style.length() / CHARACTERS_OF_A_STEP);
        return !style.isEmpty()
                && style.toLowerCase(Locale.ROOT).replace(" ", "").contains("mso-list:ignore");
    }

    /** The bullet or the number of an item; empty when it has none. */
    public static String mark(SeenNodes nodes, int item) {
        nodes.work().spend(Math.min(MOST_NODES, nodes.end(item) - item));
        for (int i = item + 1; i < nodes.end(item) && i < item + MOST_NODES; i++) {
            if (isMark(nodes, i)) {
                StringBuilder mark = new StringBuilder();
                for (int k = i; k < nodes.end(i) && mark.length() <= LONGEST_MARK; k++) {
                    nodes.work().spend(1);
                    mark.append(nodes.text(k));
                }
                return mark.toString().replace('\u00A0', ' ').strip();
            }
        }
        return "";
    }

    /** Whether the text of a paragraph begins with a bullet. */
    public static boolean isFirst(SeenNodes nodes, int item) {
        nodes.work().spend(Math.min(MOST_NODES, nodes.end(item) - item));
        boolean begun = false;
        boolean bullet = false;
        for (int i = item + 1; i < nodes.end(item); i++) {
            if (i > item + MOST_NODES || nodes.is(i, SeenNodes.BLOCK)) {
                return false;
            }
            if (!begun && nodes.isWord(i)) {
                String words = nodes.text(i);
                begun = true;
                bullet = isBullet(words.charAt(SeenNodes.firstSeen(words)));
            }
        }
        return bullet;
    }

    /** The number of a mark; 0 for a bullet. */
    public static int number(String mark) {
        int number = 0;
        for (int i = 0; i < mark.length() && i < 9 && mark.charAt(i) >= '0' && mark.charAt(i) <= '9'; i++) {
            number = 10 * number + mark.charAt(i) - '0';
        }
        return number;
    }
}
