package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.page.Bullets;
import dev.inboxd.mail.markdown.page.SeenNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The lists that mail programs write as paragraphs, each with its bullet. */
final class WordList {
    private static final int DEEPEST = 9;

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
            String mark = Bullets.mark(nodes, i);
            if (!mark.isEmpty()) {
                return new Item(next(digit >= '1' && digit <= '9' ? digit - '0' : 1, mark), false);
            }
        }
        boolean ofClass =
                ofWord || nodes.attribute(i, "class").toLowerCase(Locale.ROOT).contains("list");
        return ofClass && Bullets.isFirst(nodes, i) ? new Item(next(1, "-"), true) : null;
    }

    private static boolean isParagraph(String name) {
        return name.equals("p") || name.equals("div") || name.equals("td") || name.equals("dd");
    }

    /** The containers of an item that has its bullet in the cell beside it. */
    List<Container> bullet() {
        return next(1, "-");
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
        int number = ordered ? Bullets.number(mark) : 0;
        items.add(number > 0 ? kinds.getLast().item(number) : kinds.getLast().item());
        return List.copyOf(items);
    }
}
