package dev.inboxd.mail.markdown.page;

import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.link.BodyTargets;
import dev.inboxd.mail.reply.MailKind;
import dev.inboxd.mail.reply.QuotationVisitor;
import dev.inboxd.mail.reply.QuotedPart;
import dev.inboxd.mail.text.HtmlLine;
import dev.inboxd.mail.text.VisitorPair;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jsoup.internal.StringUtil;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jspecify.annotations.Nullable;

/** What is known of an HTML body before its Markdown is written. */
public final class HtmlMail {
    /** Elements that are what they are by one around them. */
    private static final Set<String> PARTS =
            Set.of("li", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot", "caption");

    private final SeenNodes nodes;
    private final boolean isWhole;
    private final Map<String, String> files;
    private final ShownHtml shown;
    private final BodyTargets links;
    private final Map<String, String> targets = new HashMap<>();
    private final List<QuotedRange> quoted;
    /** What relative addresses are counted from; null while none was met. */
    private @Nullable String base;

    /**
     * A quotation, by the nodes and offsets between which it stands.
     *
     * @param endNode the number of nodes when it goes on to the end
     */
    public record QuotedRange(int startNode, int startOffset, int endNode, int endOffset, QuotedPart quotation) {}

    /**
     * What is known of a body.
     *
     * @param files the names of the mail's files by their Content-ID
     * @param kind of the mail; a report has no quotations
     * @param links where its links lead
     */
    public HtmlMail(ShownHtml shown, Map<String, String> files, MailKind kind, BodyTargets links) {
        nodes = new SeenNodes(RenderWork.ofMail());
        this.files = files;
        this.links = links;
        this.shown = shown;
        if (kind == MailKind.REPORT) {
            isWhole = shown.visit(nodes) && shown.isWhole();
            quoted = List.of();
        } else {
            QuotationVisitor quotations = new QuotationVisitor();
            isWhole = shown.visit(new VisitorPair(nodes, quotations.visitor())) && shown.isWhole();
            quoted = ranges(quotations, kind == MailKind.ANSWER);
        }
    }

    /** Whether nothing of the body was left out. */
    public boolean isWhole() {
        return isWhole;
    }

    private List<QuotedRange> ranges(QuotationVisitor quotations, boolean isReply) {
        List<HtmlLine> lines = quotations.lines();
        List<QuotedPart> parts = quotations.quotations(lines, isReply);
        if (parts.isEmpty()) {
            return List.of();
        }
        IdentityHashMap<Node, Integer> places = new IdentityHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            places.put(nodes.node(i), i);
        }
        List<QuotedRange> ranges = new ArrayList<>(parts.size());
        for (QuotedPart part : parts) {
            int start = firstPlaced(lines, places, part.start());
            int end = firstPlaced(lines, places, part.end());
            if (start < lines.size() && start < end) {
                HtmlLine first = lines.get(start);
                HtmlLine behind = end < lines.size() ? lines.get(end) : null;
                int place = places.getOrDefault(first.node(), 0);
                int least = ranges.isEmpty() ? 0 : ranges.getLast().endNode();
                int rule = first.offset() > 0 ? -1 : ruleAbove(place, least);
                ranges.add(withElements(new QuotedRange(
                        rule < 0 ? place : rule,
                        rule < 0 ? first.offset() : 0,
                        behind == null ? nodes.size() : places.getOrDefault(behind.node(), 0),
                        behind == null ? 0 : behind.offset(),
                        part)));
            }
        }
        return ranges;
    }

    /** A line across the mail with nothing between it and the node is a part of what it sets apart; -1 for none. */
    private int ruleAbove(int node, int least) {
        int at = node - 1;
        while (at >= least
                && !nodes.name(at).equals("hr")
                && !nodes.name(at).equals("img")
                && nodes.text(at).isBlank()) {
            at--;
        }
        return at >= least && nodes.name(at).equals("hr") ? at : -1;
    }

    /** With the elements that begin a quotation, and without those that begin what stands behind it. */
    private QuotedRange withElements(QuotedRange words) {
        int end = words.endNode;
        boolean ends = end < nodes.size() && isFirst(end, words.endOffset);
        for (int i = end - 1; ends && i > words.startNode && !isSeen(i); i--) {
            end = nodes.end(i) > words.endNode ? i : end;
        }
        int start = words.startNode;
        boolean begins = isFirst(start, words.startOffset);
        for (int i = start - 1; begins && i >= 0 && !isSeen(i); i--) {
            boolean around = nodes.end(i) > words.startNode && nodes.end(i) <= end;
            start = around && !PARTS.contains(nodes.name(i)) ? i : start;
        }
        return new QuotedRange(
                start,
                start < words.startNode ? 0 : words.startOffset,
                end,
                end < words.endNode ? 0 : words.endOffset,
                words.quotation);
    }

    /** Whether nothing is seen of a node before a place in it. */
    private boolean isFirst(int node, int offset) {
        return SeenNodes.firstSeen(nodes.text(node)) >= offset;
    }

    private boolean isSeen(int node) {
        return nodes.isWord(node)
                || Pictures.isSeen(nodes, node)
                || !nodes.button(node).isEmpty()
                || nodes.name(node).equals("hr");
    }

    private static int firstPlaced(List<HtmlLine> lines, IdentityHashMap<Node, Integer> places, int from) {
        int line = from;
        while (line < lines.size()
                && (lines.get(line).node() == null
                        || !places.containsKey(lines.get(line).node()))) {
            line++;
        }
        return line;
    }

    public SeenNodes nodes() {
        return nodes;
    }

    /** The quotations in their order. */
    public List<QuotedRange> quoted() {
        return quoted;
    }

    /** The name of the file of the mail that a picture is; null when it is none. */
    public @Nullable String file(String address) {
        boolean part = address.regionMatches(true, 0, "cid:", 0, 4);
        return part ? files.get(address.substring(4).strip()) : null;
    }

    /** Where a link leads, as it is shown; null when that is no target. */
    public @Nullable String target(int link) {
        String address = nodes.attribute(link, "href").strip();
        if (address.isEmpty() || address.startsWith("#")) {
            return null;
        }
        String target = targets.computeIfAbsent(address, this::resolved);
        return target.isEmpty() ? null : target;
    }

    private String resolved(String address) {
        String url = hasScheme(address) ? address : absolute(address);
        return url.isEmpty() ? "" : Objects.requireNonNullElse(links.of(url), "");
    }

    private String absolute(String address) {
        String baseUrl = base;
        if (baseUrl == null) {
            Element based = shown.document().getElementsByTag("base").first();
            baseUrl = based == null ? "" : based.attr("href").strip();
            base = baseUrl;
        }
        return baseUrl.isEmpty() ? "" : StringUtil.resolve(baseUrl, address);
    }

    private static boolean hasScheme(String address) {
        int colon = address.indexOf(':');
        for (int i = 0; i < colon; i++) {
            char c = address.charAt(i);
            if (!Character.isLetterOrDigit(c) && "+-.\t\n".indexOf(c) < 0) {
                return false;
            }
        }
        return colon > 0;
    }

    /** Whether a quotation begins or ends within a node, its own beginning apart. */
    public boolean isCut(int node) {
        int end = nodes.end(node);
        for (int i = firstBehind(node); i < quoted.size() && quoted.get(i).startNode < end; i++) {
            QuotedRange range = quoted.get(i);
            boolean begins = range.startNode > node || (range.startNode == node && range.startOffset > 0);
            if (begins || range.endNode < end) {
                return true;
            }
        }
        return false;
    }

    /** The first quotation that ends behind the beginning of a node. */
    private int firstBehind(int node) {
        int low = 0;
        int high = quoted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (quoted.get(middle).endNode > node) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
