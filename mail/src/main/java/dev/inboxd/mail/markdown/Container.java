package dev.inboxd.mail.markdown;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A quotation, or an item of a list. */
final class Container {
    final @Nullable ListKind list;
    final int number;
    private final @Nullable Object owner;
    String marker = "";
    boolean marked;
    /** Whether a quotation began or ended around it after it was marked: what follows is no longer in its list. */
    boolean broken;

    Container(@Nullable ListKind list, int number, @Nullable Object owner) {
        this.list = list;
        this.number = number;
        this.owner = owner;
    }

    /** @param owner quotations of one owner go on where another begins; null for one of its own */
    static Container quote(@Nullable Object owner) {
        return new Container(null, 0, owner);
    }

    boolean isQuote() {
        return list == null;
    }

    /** Whether nothing was written in it. */
    boolean isFresh() {
        return !marked;
    }

    /** How many of the first ones are the same. */
    static int shared(List<Container> containers, List<Container> others) {
        int count = 0;
        while (count < containers.size()
                && count < others.size()
                && containers.get(count).equals(others.get(count))) {
            count++;
        }
        return count;
    }

    boolean continues(Container previous) {
        return equals(previous) || (isQuote() && previous.isQuote() && owner != null && owner.equals(previous.owner));
    }
}
