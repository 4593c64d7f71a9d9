package dev.inboxd.mail.markdown;

import org.jspecify.annotations.Nullable;

/** A list, whose items it tells. */
final class ListKind {
    final boolean ordered;
    private int next;

    @Nullable
    Boolean other;

    ListKind(boolean ordered, int first) {
        this.ordered = ordered;
        next = first;
    }

    /** An item that takes the next number. */
    Container item() {
        return new Container(this, next++, null);
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
