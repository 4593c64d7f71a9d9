package dev.inboxd.mail.markdown.page;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.Concealment;
import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.html.WhiteSpace;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/** The nodes of an HTML body that a person sees, in their order, and how each looks. */
public final class SeenNodes implements ShownHtml.Visitor {
    public static final int BOLD = 1;
    public static final int STRUCK = 2;
    public static final int BLOCK = 4;
    /** A box within a line. */
    public static final int INLINE_BOX = 8;

    public static final int LINES = 16;
    public static final int PRESERVED = 32;
    public static final int FIXED = 64;
    /** Nothing is seen of it but the room that it takes. */
    public static final int BLANK = 128;
    /** A picture that is seen. */
    public static final int PICTURE = 256;
    /** An element that is as wide as the mail by its style. */
    public static final int WIDE = 512;

    private static final int WIDE_PIXELS = 480;
    private static final int MOST_DIGITS = 5;
    private static final Set<String> BLOCKS =
            Set.of(("address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
                            + "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li "
                            + "listing main marquee menu nav noframes ol option optgroup p plaintext pre search "
                            + "section summary table tbody td tfoot th thead tr ul xmp")
                    .split(" "));
    private static final Set<String> FIELDS = Set.of("select", "textarea");

    private final RenderWork work;
    private Node[] nodes = new Node[256];
    private String[] names = new String[256];
    private int[] ends = new int[256];
    private int[] looks = new int[256];
    private int size;
    private int[] open = new int[64];
    private int depth;
    private int firstWord = Integer.MAX_VALUE;
    private int lastWord = -1;

    /** @param work that which looking at them costs */
    SeenNodes(RenderWork work) {
        this.work = work;
    }

    @Override
    public boolean open(Element element, Appearance appearance) {
        if (appearance.isGone() || FIELDS.contains(element.normalName())) {
            return false;
        }
        if (depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
        }
        open[depth++] = add(element, element.normalName(), bits(element, appearance));
        return true;
    }

    @Override
    public void text(TextNode text, Appearance appearance) {
        Concealment hidden = appearance.concealment();
        if (hidden == null) {
            int at = add(text, "", bits(appearance));
            if (isWord(at)) {
                firstWord = Math.min(firstWord, at);
                lastWord = at;
            }
        } else if (takesRoom(hidden) || hasSpace(text.getWholeText())) {
            add(text, "", BLANK);
        }
    }

    @Override
    public void close(Element element, Appearance appearance) {
        ends[open[--depth]] = size;
    }

    private static boolean takesRoom(Concealment hidden) {
        return hidden == Concealment.SAME_COLOR || hidden == Concealment.SEE_THROUGH;
    }

    private static boolean hasSpace(String words) {
        for (int i = 0; i < words.length(); i++) {
            if (words.charAt(i) <= ' ' || words.charAt(i) == '\u00A0') {
                return true;
            }
        }
        return false;
    }

    private int add(Node node, String name, int flags) {
        int at = size++;
        if (at == ends.length) {
            nodes = Arrays.copyOf(nodes, 2 * at);
            names = Arrays.copyOf(names, 2 * at);
            ends = Arrays.copyOf(ends, 2 * at);
            looks = Arrays.copyOf(looks, 2 * at);
        }
        nodes[at] = node;
        names[at] = name;
        ends[at] = at + 1;
        looks[at] = flags;
        return at;
    }

    private static int bits(Appearance appearance) {
        int space = appearance.whiteSpace() == WhiteSpace.PRESERVED
                ? PRESERVED
                : appearance.whiteSpace() == WhiteSpace.LINES ? LINES : 0;
        return (appearance.style().isBold() ? BOLD : 0)
                | (appearance.style().isStruck() ? STRUCK : 0)
                | (appearance.style().isFixed() ? FIXED : 0)
                | space;
    }

    private static int bits(Element element, Appearance appearance) {
        boolean block = BLOCKS.contains(element.normalName());
        boolean box = element.nameIs("button");
        switch (appearance.style().display()) {
            case "block", "list-item", "flex", "grid", "table", "flow-root", "table-row", "table-caption" ->
                block = true;
            case "table-cell" -> block |= !element.nameIs("span");
            case "inline-block", "inline-table", "inline-flex", "inline-grid" -> {
                box = true;
                block &= isPart(element);
            }
            case "inline", "contents" -> block &= isPart(element);
            default -> {}
        }
        boolean item = appearance.isWithinBoxes() && !isPart(element);
        int shape = block || item ? BLOCK : box ? INLINE_BOX : 0;
        boolean wide = isWide(appearance.style().width()) || isWide(element.attr("width"));
        boolean blank = element.nameIs("input") && isBlank(element, appearance);
        return bits(appearance)
                | (blank ? BLANK : 0)
                | shape
                | (appearance.isPictureShown() ? PICTURE : 0)
                | (wide ? WIDE : 0);
    }

    /** Whether a field is not seen. It has letters of its own, whatever those of the text around it are. */
    private static boolean isBlank(Element field, Appearance appearance) {
        boolean own = field.hasAttr("style") || field.hasAttr("class") || field.hasAttr("id");
        return !appearance.isPictureShown() || (own && !appearance.isShown());
    }

    /** Whether it is what it is by the elements around it, whatever its display. */
    private static boolean isPart(Element element) {
        return switch (element.normalName()) {
            case "table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption" -> true;
            default -> false;
        };
    }

    private static boolean isWide(String width) {
        String bare = width.endsWith("px") ? width.substring(0, width.length() - 2) : width;
        if (bare.equals("100%")) {
            return true;
        }
        int pixels = 0;
        for (int i = 0; i < bare.length() && i < MOST_DIGITS; i++) {
            if (bare.charAt(i) < '0' || bare.charAt(i) > '9') {
                return false;
            }
            pixels = 10 * pixels + bare.charAt(i) - '0';
        }
        return bare.length() <= MOST_DIGITS && pixels >= WIDE_PIXELS;
    }

    public int size() {
        return size;
    }

    /** Counts what looking at them, and writing them, costs. */
    public RenderWork work() {
        return work;
    }

    public Node node(int i) {
        return nodes[i];
    }

    /** Behind the last node within. */
    public int end(int i) {
        return ends[i];
    }

    public boolean is(int i, int flags) {
        return (looks[i] & flags) != 0;
    }

    /** The name of an element; empty for a text. */
    public String name(int i) {
        return names[i];
    }

    /** The text of a node as it is written, without what is not seen; empty for elements. */
    public String text(int i) {
        return nodes[i] instanceof TextNode text ? is(i, BLANK) ? " " : text.getWholeText() : "";
    }

    /** Whether a text has more than white space and characters without width. */
    public boolean isWord(int i) {
        if (!(nodes[i] instanceof TextNode text) || is(i, BLANK)) {
            return false;
        }
        String words = text.getWholeText();
        return firstSeen(words) < words.length();
    }

    /** Whether a heading has no blocks but such as are words in a line. */
    public boolean isLine(int heading) {
        work.spend(ends[heading] - heading);
        for (int i = heading + 1; i < ends[heading]; i++) {
            switch (names[i]) {
                case "table", "ul", "ol", "dl", "pre", "hr", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6" -> {
                    return false;
                }
                default -> {}
            }
        }
        return true;
    }

    /** Whether an element has all the words of the mail. */
    boolean hasAllWords(int i) {
        return firstWord > i && lastWord < ends[i];
    }

    /** Where the first character stands that is seen; the length when there is none. */
    public static int firstSeen(String words) {
        int at = 0;
        while (at < words.length() && isBlank(words.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isBlank(char c) {
        return c <= ' ' || (c > '~' && isBlankBeyondAscii(c));
    }

    private static boolean isBlankBeyondAscii(char c) {
        return (c >= 0x7F && c <= 0xA0)
                || c == 0xAD
                || c == 0x34F
                || c == '\uFEFF'
                || c == '\u2060'
                || (c >= '\u200B' && c <= '\u200F')
                || Character.isSpaceChar(c);
    }

    /** The words on a button that is a field; empty when it is none, and when it is not seen. */
    public String button(int i) {
        if (!name(i).equals("input") || is(i, BLANK)) {
            return "";
        }
        return switch (attribute(i, "type").strip().toLowerCase(Locale.ROOT)) {
            case "submit", "button", "reset" -> attribute(i, "value").strip();
            default -> "";
        };
    }

    public String attribute(int i, String name) {
        return nodes[i] instanceof Element element ? element.attr(name) : "";
    }

    /** The number that an attribute is, of at most nine digits. */
    public int number(int i, String name, int otherwise) {
        String bare = attribute(i, name).strip();
        boolean number = !bare.isEmpty() && bare.length() <= 9 && bare.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(bare) : otherwise;
    }
}
