package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.page.HtmlMail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The quotation in which a walk is, and the signs that it takes beside those of the mail's own blockquotes. */
final class QuoteState {
    private static final int DEEPEST = 8;

    private final MarkdownBlocks blocks;
    private final List<Container> added = new ArrayList<>();
    /** What was around where the quotation began. */
    private List<Container> outer = List.of();

    private @Nullable Object owner;
    private boolean skipped;
    private int signs;

    QuoteState(MarkdownBlocks blocks) {
        this.blocks = blocks;
    }

    void begin(HtmlMail.QuotedRange range) {
        owner = range;
        outer = blocks.around();
        signs = 0;
        adjust();
    }

    /** What follows is left out. */
    void skip() {
        skipped = true;
    }

    void end() {
        added.forEach(blocks::remove);
        added.clear();
        owner = null;
        skipped = false;
        signs = 0;
    }

    boolean isOpen() {
        return owner != null;
    }

    boolean isSkipped() {
        return skipped;
    }

    /** To which quotation a blockquote belongs; null outside of one. */
    @Nullable
    Object owner() {
        return owner;
    }

    /** Whether the line before had another number of signs. */
    boolean isOther(int number) {
        return number != signs;
    }

    /** The lines that follow have so many signs of their own. */
    void signs(int number) {
        signs = number;
        adjust();
    }

    /** A blockquote began or ended. */
    void adjust() {
        if (owner == null) {
            return;
        }
        int own = blocks.quotes() - added.size();
        int depth = Math.min(DEEPEST, signs > 0 ? signs : own == 0 ? 1 : 0);
        while (added.size() > depth) {
            blocks.remove(added.removeLast());
        }
        while (added.size() < depth) {
            Container quote = Container.quote(owner);
            added.add(quote);
            blocks.pushWithin(outer, quote);
        }
    }
}
