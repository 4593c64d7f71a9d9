package dev.inboxd.mail.css;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jspecify.annotations.Nullable;

/** The rules of the style elements of a mail that decide whether a text is seen. */
public final class CssRules {
    private static final int MOST_RULES = 2_000;
    private static final int MOST_KEPT = 8_000;
    private static final int LONGEST_PRELUDE = 8_000;
    private static final int LONGEST_PLACE = 200;
    private static final int DEEPEST = 8;

    /** The elements, classes ({@code .a}) and ids ({@code #a}) of the document, in small letters. */
    private final Set<String> names = new HashSet<>();

    private final Map<String, List<Rule>> byKey = new HashMap<>();
    private final Map<String, List<List<CssDeclaration>>> keyframes = new HashMap<>();
    private int rules;
    private int selectorCount;
    private boolean complete = true;

    /**
     * A rule for one selector.
     *
     * @param order among all rules
     * @param condition whether it holds for the page at all
     */
    public record Rule(CssSelector selector, List<CssDeclaration> declarations, int order, CssTruth condition) {}

    /**
     * Adds the style elements of a document, and notes sheets that are elsewhere. Rules for elements, classes and ids
     * that the document does not have are left out: most of what programs for newsletters write are such.
     */
    public static CssRules of(Element document) {
        CssRules rules = new CssRules();
        List<Element> sheets = new ArrayList<>(2);
        document.traverse((node, _) -> {
            rules.complete &= !node.nameIs("link")
                    || !node.attr("rel").toLowerCase(Locale.ROOT).contains("stylesheet");
            if (node instanceof Element sheet && node.nameIs("style")) {
                sheets.add(sheet);
            }
        });
        if (!sheets.isEmpty()) {
            document.traverse(rules::name);
        }
        for (Element element : sheets) {
            String type = element.attr("type").strip();
            CssTruth media = CssMedia.of(element.attr("media"));
            if ((type.isEmpty() || type.equalsIgnoreCase("text/css")) && media != CssTruth.NO) {
                rules.read(CssText.withoutComments(element.data()), media, 0);
            }
        }
        return rules;
    }

    private void name(Node node, int depth) {
        names.add(node.normalName());
        if (node instanceof Element element && element.attributesSize() > 0) {
            String classes = element.attr("class");
            if (!classes.isEmpty() && names.add(classes)) {
                CssText.words(classes.toLowerCase(Locale.ROOT)).forEach(name -> names.add("." + name));
            }
            names.add("#" + element.id().toLowerCase(Locale.ROOT));
        }
    }

    /** Whether everything was read that may decide about a colour. */
    public boolean isWhole() {
        return complete;
    }

    /** Whether rules were left out because there are too many. */
    public boolean isFull() {
        return rules > MOST_RULES || selectorCount > MOST_KEPT;
    }

    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    /** The rules whose last compound has this key. */
    public List<Rule> of(String key) {
        return byKey.getOrDefault(key, List.of());
    }

    /** What the frames of an animation declare, in their order; null when the mail has no such animation. */
    @Nullable
    public List<List<CssDeclaration>> frames(String animation) {
        return keyframes.get(animation);
    }

    private void read(String css, CssTruth condition, int depth) {
        for (int at = 0; at < css.length() && !isFull(); ) {
            boolean named = startsWithAt(css, at);
            int end = CssText.next(css, at, named ? ";{" : "{");
            if (end == css.length()) {
                return;
            }
            String prelude = css.substring(at, end).strip();
            if (css.charAt(end) == ';') {
                complete &= !prelude.toLowerCase(Locale.ROOT).startsWith("@import");
                at = end + 1;
                continue;
            }
            int close = CssText.endOfBlock(css, end);
            String body = css.substring(end + 1, close);
            if (named) {
                group(prelude, body, condition, depth);
            } else {
                rule(prelude, body, condition, depth);
            }
            at = close + 1;
        }
    }

    private static boolean startsWithAt(String css, int from) {
        int at = from;
        while (at < css.length() && css.charAt(at) <= ' ') {
            at++;
        }
        return at < css.length() && css.charAt(at) == '@';
    }

    private void group(String prelude, String body, CssTruth condition, int depth) {
        String lower = prelude.toLowerCase(Locale.ROOT);
        int end = CssText.next(lower, 0, " \t\r\n\f(");
        CssTruth inner = switch (lower.substring(0, end)) {
            case "@media" -> condition.and(CssMedia.of(prelude.substring(end)));
            case "@keyframes", "@-webkit-keyframes", "@-moz-keyframes" -> {
                keyframes(CssText.unescaped(lower.substring(end).strip()), body);
                yield CssTruth.NO;
            }
            case "@font-face",
                    "@page",
                    "@viewport",
                    "@-ms-viewport",
                    "@-o-viewport",
                    "@property",
                    "@counter-style",
                    "@font-feature-values" -> CssTruth.NO;
            default -> condition.and(CssTruth.MAYBE);
        };
        if (inner == CssTruth.NO) {
            return;
        }
        if (depth < DEEPEST) {
            read(body, inner, depth + 1);
        } else {
            complete = false;
        }
    }

    /** CSS Animations 1 §4. Frames are sorted, by their first place where they have several. */
    private void keyframes(String name, String body) {
        TreeMap<Double, List<CssDeclaration>> frames = new TreeMap<>();
        for (int at = 0; at < body.length() && !isFull(); ) {
            int open = CssText.next(body, at, "{");
            int close = open < body.length() ? CssText.endOfBlock(body, open) : open;
            if (open < body.length()) {
                rules++;
                List<CssDeclaration> declared = CssDeclarations.of(body.substring(open + 1, close));
                String places = body.substring(at, open).toLowerCase(Locale.ROOT);
                for (String place : CssText.split(places.substring(0, Math.min(places.length(), LONGEST_PLACE)), ",")) {
                    CssLength share = CssLength.of(place);
                    double when = place.equals("to") ? 100 : share == null ? 0 : share.number();
                    selectorCount++;
                    frames.computeIfAbsent(when, _ -> new ArrayList<>(1)).addAll(declared);
                }
            }
            at = close + 1;
        }
        String bare = name.replace("\"", "").replace("'", "");
        keyframes.put(bare, List.copyOf(frames.values()));
    }

    private void rule(String prelude, String body, CssTruth condition, int depth) {
        List<CssSelector> selectors = prelude.length() <= LONGEST_PRELUDE ? selectors(prelude) : List.of();
        if (selectors.isEmpty() && prelude.length() <= LONGEST_PRELUDE && body.indexOf('{') < 0) {
            return;
        }
        List<String> nested = new ArrayList<>(0);
        List<CssDeclaration> declarations = List.copyOf(CssDeclarations.of(body, nested::add));
        if (!declarations.isEmpty() && !selectors.isEmpty()) {
            rules++;
            // Selectors 4 §3.9: with one that a program does not know the whole rule is invalid
            CssTruth applicable = prelude.contains(":-") ? condition.and(CssTruth.MAYBE) : condition;
            for (CssSelector selector : selectors) {
                selectorCount++;
                byKey.computeIfAbsent(selector.key(), _ -> new ArrayList<>(1))
                        .add(new Rule(selector, declarations, selectorCount, applicable));
            }
        }
        complete &= prelude.length() <= LONGEST_PRELUDE && (nested.isEmpty() || depth < DEEPEST);
        if (depth < DEEPEST) {
            // CSS Nesting: read by its own selector alone, so it only may hold
            nested.forEach(block -> read(block.replace('&', ' '), condition.and(CssTruth.MAYBE), depth + 1));
        }
    }

    /** Those that may hold for an element of the document. */
    private List<CssSelector> selectors(String prelude) {
        List<CssSelector> selectors = new ArrayList<>(2);
        for (String text : CssText.split(prelude, ",")) {
            CssSelector selector = CssSelector.of(text);
            if (selector != null && selector.mayHold(names)) {
                selectors.add(selector);
            }
        }
        return selectors;
    }
}
