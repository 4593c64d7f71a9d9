package dev.inboxd.mail.markdown;

import org.jspecify.annotations.Nullable;

/** A list, whose items it tells. */
final class ListKind {
    final boolean ordered;
    /** The greatest number of an item (CommonMark 0.31 §5.2). */
    private static final int GREATEST = 999_999_999;

    private int next;
    private @Nullable Container last;

    @Nullable
    Boolean switched;

    ListKind(boolean ordered, int first) {
        this.ordered = ordered;
        next = first;
    }

    /** An item that takes the next number. */
    Container item() {
        Container item = new Container(this, Math.min(next++, GREATEST), null);
        last = item;
        return item;
    }

    /** The item that was told last; null before the first. */
    @Nullable
    Container last() {
        return last;
    }

    /** An item with a number of its own. */
    Container item(int number) {
        next = number;
        return item();
    }

    boolean isOrdered() {
        return ordered;
    }
}
