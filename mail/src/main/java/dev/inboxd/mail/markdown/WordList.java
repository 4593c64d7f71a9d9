package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.page.Pictures;
import dev.inboxd.mail.markdown.page.SeenNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The lists that mail programs write as paragraphs, each with its bullet. */
final class WordList {
    private static final String BULLETS = "\u00B7\u2022\u2013\u00A7\u25AA\u25CF\u25E6\u2023";
    private static final int DEEPEST = 9;
    private static final int MOST_NODES = 200;
    private static final int FEW_NODES = 12;

    private final SeenNodes nodes;
    private final MarkdownBlocks blocks;
    private final List<ListKind> kinds = new ArrayList<>();
    private final List<Container> items = new ArrayList<>();
    private int written = -1;

    /**
     * An item.
     *
     * @param containers those in which it stands, and its own
     * @param hasBullet whether its text begins with a bullet, which is not part of it
     */
    record Item(List<Container> containers, boolean hasBullet) {}

    WordList(SeenNodes nodes, MarkdownBlocks blocks) {
        this.nodes = nodes;
        this.blocks = blocks;
    }

    /** An item was written: what follows at once goes on with its list. */
    void written() {
        written = blocks.blocks();
    }

    /** What an element is an item of; null when it is none. */
    @Nullable
    Item itemOf(int i) {
        if (!isParagraph(nodes.name(i))) {
            return null;
        }
        String style = nodes.attribute(i, "style").toLowerCase(Locale.ROOT);
        int list = style.indexOf("mso-list:");
        boolean ofWord = list >= 0 && !style.startsWith("none", list + 9) && !style.startsWith("ignore", list + 9);
        if (ofWord) {
            int level = style.indexOf("level", list);
            char digit = level >= 0 && level + 5 < style.length() ? style.charAt(level + 5) : '1';
            String mark = mark(i);
            if (!mark.isEmpty()) {
                return new Item(next(digit >= '1' && digit <= '9' ? digit - '0' : 1, mark), false);
            }
        }
        boolean ofClass =
                ofWord || nodes.attribute(i, "class").toLowerCase(Locale.ROOT).contains("list");
        return ofClass && hasBullet(i) ? new Item(next(1, "-"), true) : null;
    }

    private static boolean isParagraph(String name) {
        return name.equals("p") || name.equals("div") || name.equals("td") || name.equals("dd");
    }

    /** The containers of an item that has its bullet in the cell beside it. */
    List<Container> bullet() {
        return next(1, "-");
    }

    /** Whether an element is the bullet or the number of an item. */
    boolean isMark(int i) {
        String style = nodes.attribute(i, "style");
        return !style.isEmpty()
                && style.toLowerCase(Locale.ROOT).replace(" ", "").contains("mso-list:ignore");
    }

    static boolean isBullet(char c) {
        return BULLETS.indexOf(c) >= 0;
    }

    /** Whether a bullet is all that an element shows. */
    boolean isBullet(int i) {
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

    private String mark(int item) {
        for (int i = item + 1; i < nodes.end(item) && i < item + MOST_NODES; i++) {
            if (isMark(i)) {
                StringBuilder mark = new StringBuilder();
                for (int k = i; k < nodes.end(i); k++) {
                    mark.append(nodes.text(k));
                }
                return mark.toString().replace('\u00A0', ' ').strip();
            }
        }
        return "";
    }

    private boolean hasBullet(int item) {
        boolean seen = false;
        boolean bullet = false;
        for (int i = item + 1; i < nodes.end(item); i++) {
            if (i > item + MOST_NODES || nodes.is(i, SeenNodes.BLOCK)) {
                return false;
            }
            if (!seen && nodes.isWord(i)) {
                String words = nodes.text(i);
                seen = true;
                bullet = BULLETS.indexOf(words.charAt(SeenNodes.firstSeen(words))) >= 0;
            }
        }
        return bullet;
    }

    private List<Container> next(int level, String mark) {
        if (written != blocks.blocks()) {
            kinds.clear();
            items.clear();
        }
        int depth = Math.min(Math.min(level, DEEPEST), kinds.size() + 1);
        while (kinds.size() > depth) {
            kinds.removeLast();
            items.removeLast();
        }
        boolean ordered = Character.isLetterOrDigit(mark.charAt(0)) && (mark.endsWith(".") || mark.endsWith(")"));
        if (kinds.size() < depth || kinds.getLast().isOrdered() != ordered) {
            if (kinds.size() == depth) {
                kinds.removeLast();
                items.removeLast();
            }
            kinds.add(new ListKind(ordered, 1));
        } else {
            items.removeLast();
        }
        int number = ordered ? number(mark) : 0;
        items.add(number > 0 ? kinds.getLast().item(number) : kinds.getLast().item());
        return List.copyOf(items);
    }

    private static int number(String mark) {
        int number = 0;
        for (int i = 0; i < mark.length() && i < 9 && mark.charAt(i) >= '0' && mark.charAt(i) <= '9'; i++) {
            number = 10 * number + mark.charAt(i) - '0';
        }
        return number;
    }
}
