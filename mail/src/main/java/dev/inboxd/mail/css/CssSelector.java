package dev.inboxd.mail.css;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** A selector: compounds, each a descendant or child of the one before. */
public final class CssSelector {
    private static final int MOST_COMPOUNDS = 16;

    private final List<CssCompound> compounds = new ArrayList<>(1);

    /** What stands before each compound: a space, {@code >}, or a sign that is not read. */
    private final List<Character> combinators = new ArrayList<>(1);

    private int specificity;

    /** Whether it was read whole; one that was not may hold where its last compounds do. */
    private boolean complete = true;

    /** What counts the looks; at 0 nothing more is looked at. */
    public interface Looks {
        boolean spend(int looks);

        List<String> classes(Element element);
    }

    private CssSelector() {}

    /** Reads a selector; null when it never holds for an element. Of a long one the last compounds are kept. */
    static @Nullable CssSelector of(String text) {
        CssSelector selector = new CssSelector();
        char combinator = ' ';
        boolean open = false;
        for (int at = 0; at < text.length(); ) {
            int end = CssText.next(text, at, " \t\r\n\f>+~");
            if (end > at) {
                CssCompound compound = CssCompound.of(text.substring(at, end));
                selector.compounds.add(compound);
                selector.combinators.add(combinator);
                selector.specificity += compound.specificity();
                combinator = ' ';
                open = false;
                if (compound.isNever()) {
                    return null;
                }
                selector.shorten();
            }
            if (end < text.length() && text.charAt(end) > ' ') {
                combinator = text.charAt(end);
                open = true;
            }
            at = end + 1;
        }
        selector.complete &= !open; // which is invalid
        return selector.compounds.isEmpty() ? null : selector;
    }

    private void shorten() {
        if (compounds.size() > MOST_COMPOUNDS) {
            compounds.removeFirst();
            combinators.removeFirst();
            complete = false;
        }
    }

    String key() {
        return compounds.getLast().key();
    }

    /** Whether it may hold for any element of a document with these names. */
    boolean mayHold(Set<String> names) {
        return compounds.stream().allMatch(compound -> compound.mayHold(names));
    }

    public int specificity() {
        return specificity;
    }

    /** Whether it holds for an element; when no looks are left it may. */
    public CssTruth holds(Element element, Looks looks) {
        CssTruth read = holds(compounds.size() - 1, element, looks);
        return complete ? read : read.and(CssTruth.MAYBE);
    }

    private CssTruth holds(int last, Element element, Looks looks) {
        CssCompound compound = compounds.get(last);
        List<String> classes = looks.classes(element);
        if (!looks.spend(compound.cost(element, classes))) {
            return CssTruth.MAYBE;
        }
        CssTruth own = compound.holds(element, classes);
        if (own == CssTruth.NO || last == 0) {
            return own;
        }
        char combinator = combinators.get(last);
        if (combinator == '+' || combinator == '~') {
            return CssTruth.MAYBE;
        }
        CssTruth around = CssTruth.NO;
        for (Element at = element.parent(); at != null && around != CssTruth.YES; at = at.parent()) {
            around = around.or(holds(last - 1, at, looks));
            if (combinator == '>') {
                break;
            }
        }
        return own.and(around);
    }
}
