package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.inline.Place;
import dev.inboxd.mail.markdown.page.Bullets;
import dev.inboxd.mail.markdown.page.SeenNodes;
import org.jspecify.annotations.Nullable;

/** The words of the block that is being read: they are written when it ends. */
final class TextFlow {
    private final MarkdownBlocks blocks;
    private final InlineText inline;
    private final QuoteState quote;

    /** How many elements there are around within which blocks are words of one line. */
    private int flat;

    private int breaks;
    private int heading;
    private char joint;
    private boolean stripsBullet;
    private @Nullable String link;
    private boolean linkSeen;
    private @Nullable String said;

    TextFlow(MarkdownBlocks blocks, InlineText inline, QuoteState quote) {
        this.blocks = blocks;
        this.inline = inline;
        this.quote = quote;
    }

    /** Whether blocks are words of one line here. */
    boolean isFlat() {
        return flat > 0;
    }

    void beginFlat() {
        flat++;
    }

    /** @param level of a heading that what follows is; 0 for none */
    void beginFlat(int level) {
        flush();
        heading = level;
        flat++;
    }

    void endFlat() {
        flat--;
        breakBlock();
        heading = 0;
    }

    /** A raised or lowered text begins, which a sign may set apart; 0 where none begins. */
    void joint(char sign) {
        joint = sign;
    }

    /** What follows begins with a bullet that is not part of it. */
    void stripsBullet(boolean strips) {
        stripsBullet = strips;
    }

    boolean isInLink() {
        return link != null;
    }

    /** Whether the words of a link with this target were the last that were read. */
    boolean isSaid(String target) {
        return target.equals(said);
    }

    /** A block of another kind was written. */
    void forget() {
        said = null;
    }

    /** The text of a link begins, of which something is seen. */
    void beginLink(String target, boolean hasWords) {
        beginLine();
        said = hasWords ? target : said;
        linkSeen = false;
        link = target;
        inline.beginLink(target);
    }

    /** @param isPicture whether the link is a picture, of which nothing may be said */
    void endLink(boolean isPicture) {
        if (isPicture && !linkSeen && !quote.isSkipped()) {
            visible();
            inline.appendPicture();
        }
        link = null;
        inline.endLink();
    }

    void endCode() {
        inline.endCode();
    }

    void space() {
        inline.space();
    }

    /** Words of one line. */
    void words(String words, int style) {
        int first = SeenNodes.firstSeen(words);
        if (first == words.length()) {
            inline.append(words, style); // spaces, and what is not seen
            return;
        }
        int from = first;
        if (quote.isOpen() && (inline.isAtLineStart() || breaks > 0)) {
            from = quoteSigns(words, first);
        }
        if (stripsBullet && from < words.length()) {
            stripsBullet = false;
            from += Bullets.isBullet(words.charAt(from)) ? 1 : 0;
        }
        if (from == words.length()) {
            return;
        }
        visible();
        if (first > 0 && from == first) {
            inline.append(words.substring(0, first), style);
        }
        if (joint != 0 && from == 0) {
            inline.joins(joint, words.charAt(0), style);
        }
        joint = 0;
        inline.append(from == 0 ? words : words.substring(from), style);
    }

    /** The words of a picture. */
    void picture(String words, boolean isSign) {
        visible();
        if (isSign) {
            inline.append(words, 0);
        } else {
            inline.appendPicture(words, 0);
        }
    }

    /** A box to check at the beginning of an item; elsewhere none. */
    void box(boolean checked) {
        if (blocks.freshItem() != null && inline.isEmpty() && flat == 0) {
            inline.appendBox(checked);
        }
    }

    /** Takes the signs of a quotation from the beginning of a line. */
    private int quoteSigns(String words, int first) {
        int at = first;
        int signs = 0;
        for (int i = first; i < words.length() && (words.charAt(i) == '>' || words.charAt(i) <= ' '); i++) {
            signs += words.charAt(i) == '>' ? 1 : 0;
            at = words.charAt(i) == '>' ? i + 1 : at;
        }
        if (quote.isOther(signs)) {
            flush();
            quote.signs(signs);
        }
        return at;
    }

    /** Begins the line, or the paragraph, before which lines were broken. */
    private void beginLine() {
        if (breaks > 1) {
            flush();
        } else if (breaks == 1) {
            inline.lineBreak();
        }
        breaks = 0;
    }

    /** Something is seen here. */
    private void visible() {
        beginLine();
        linkSeen = true;
        said = link == null ? null : said;
    }

    void lineBreak() {
        if (flat > 0 || link != null) { // the text of a link is one line
            inline.space();
        } else if (!inline.isEmpty()) {
            breaks++;
        }
    }

    /** A block begins or ends. */
    void breakBlock() {
        if (flat > 0) {
            inline.space();
        } else {
            flush();
        }
    }

    /** Writes the block. */
    void flush() {
        if (flat > 0) {
            return;
        }
        if (!inline.isEmpty() && heading > 0) {
            blocks.heading(heading, inline.write(Place.HEADING));
        } else if (!inline.isEmpty()) {
            blocks.paragraph(inline.write(blocks.place()));
        }
        inline.clear();
        breaks = 0;
        if (link != null) {
            inline.beginLink(link);
        }
    }
}
