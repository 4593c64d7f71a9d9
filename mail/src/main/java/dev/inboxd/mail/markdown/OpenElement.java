package dev.inboxd.mail.markdown;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An element through whose nodes a walk goes, and what ends with it. */
final class OpenElement {
    final int node;
    final int end;
    /** The list that it is. */
    @Nullable
    ListKind list;
    /** The quotation or the items in which its blocks stand. */
    List<Container> items = List.of();

    boolean isWordItem;
    boolean isMarked;
    boolean isFlat;
    boolean isLink;
    boolean isPicture;

    OpenElement(int node, int end) {
        this.node = node;
        this.end = end;
    }
}
