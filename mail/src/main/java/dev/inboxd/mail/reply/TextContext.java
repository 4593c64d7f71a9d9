package dev.inboxd.mail.reply;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.reply.line.LineKind;
import dev.inboxd.mail.text.HtmlLine;
import dev.inboxd.mail.text.HtmlText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * The markup around a text. One walk down the tree collects it for all texts: climbing up from each text would cost
 * the depth of the tree for every line.
 *
 * @param mark kind of line of the nearest element that has one, or of the first text below a divider
 * @param blockquote the outermost blockquote
 * @param quoted whether it is inside any kind of quote, blockquotes included
 * @param signature the outermost signature, unless it or the text is quoted
 */
record TextContext(
        @Nullable LineKind mark,
        @Nullable Element blockquote,
        boolean quoted,
        @Nullable Element signature) {
    private static final String GMAIL_QUOTE = "gmail_quote";
    private static final TextContext NOTHING = new TextContext(null, null, false, null);

    /** The context of each line; null for those without words, which are no text of the document. */
    static List<@Nullable TextContext> contexts(ShownHtml html, List<HtmlLine> lines) {
        Walk walk = new Walk();
        html.visit(walk);
        return walk.of(lines);
    }

    /** Whether the line is in the same blockquote. */
    boolean isBeside(@Nullable TextContext line) {
        return line == null || Objects.equals(blockquote, line.blockquote);
    }

    private TextContext with(Element element, @Nullable LineKind assigned) {
        boolean isBlockquote = element.nameIs("blockquote");
        boolean nowQuoted = quoted || isBlockquote || assigned == LineKind.QUOTE;
        Element outermost = blockquote == null && isBlockquote ? element : blockquote;
        Element sign = nowQuoted ? null : signature == null && isSignature(element) ? element : signature;
        // A divider affects only the first text below it.
        return new TextContext(
                assigned == null || assigned == LineKind.ORIGINAL ? mark : assigned, outermost, nowQuoted, sign);
    }

    private static boolean isSignature(Element element) {
        return element.hasClass("gmail_signature") || element.hasClass("moz-signature");
    }

    /** Goes down with the current context, and records it at each text that a person sees. */
    static final class Walk implements ShownHtml.Visitor {
        private final IdentityHashMap<Node, TextContext> contexts = new IdentityHashMap<>();
        private final List<TextContext> outer = new ArrayList<>(List.of(NOTHING));
        /** The levels of Gmail's elements whose first quotation ended: what follows there answers it. */
        private final BitSet answered = new BitSet();

        private boolean divided;

        /** The context of each line; null for those without words. */
        List<@Nullable TextContext> of(List<HtmlLine> lines) {
            List<@Nullable TextContext> lineContexts = new ArrayList<>(lines.size());
            for (HtmlLine line : lines) {
                lineContexts.add(line.node() == null ? null : contexts.getOrDefault(line.node(), NOTHING));
            }
            return lineContexts;
        }

        @Override
        public boolean open(Element element, Appearance appearance) {
            boolean quotes = answered.get(outer.size() - 1)
                    && (element.nameIs("blockquote") || isSignature(element) || element.hasClass(GMAIL_QUOTE));
            LineKind markupKind = quotes ? LineKind.QUOTE : Markup.of(element);
            divided |= markupKind == LineKind.ORIGINAL;
            outer.add(outer.getLast().with(element, markupKind));
            if (HtmlText.isSpokenPicture(element, appearance)) {
                record(element);
            }
            return true;
        }

        @Override
        public void text(TextNode text, Appearance appearance) {
            if (!text.isBlank() && appearance.isShown()) {
                record(text);
            }
        }

        private void record(Node node) {
            TextContext around = outer.getLast();
            contexts.put(
                    node,
                    !divided
                            ? around
                            : new TextContext(LineKind.ORIGINAL, around.blockquote, around.quoted, around.signature));
            divided = false;
        }

        @Override
        public void close(Element element, Appearance appearance) {
            answered.clear(outer.size() - 1);
            outer.removeLast();
            Element parent = element.parent();
            boolean isGmail = element.nameIs("blockquote")
                    && parent != null
                    && parent.nameIs("div")
                    && parent.hasClass(GMAIL_QUOTE);
            if (isGmail && outer.size() > 1) {
                answered.set(outer.size() - 1);
                outer.set(outer.size() - 1, outer.get(outer.size() - 2));
            }
        }
    }
}
