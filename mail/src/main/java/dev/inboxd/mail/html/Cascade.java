package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssDeclarations;
import dev.inboxd.mail.css.CssProperty;
import dev.inboxd.mail.css.CssRules;
import dev.inboxd.mail.css.CssSelector;
import dev.inboxd.mail.css.CssText;
import dev.inboxd.mail.css.CssTextStyle;
import dev.inboxd.mail.css.CssTruth;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * Which declarations win for an element (CSS Cascade 4): attributes, style sheets and {@code style} attributes. The
 * looks at selectors are counted; when they are used up, what sheets say may hold and may not.
 */
final class Cascade implements CssSelector.Looks {
    private static final Set<CssProperty> STYLE =
            Set.of(CssProperty.FONT_WEIGHT, CssProperty.DECORATION, CssProperty.FONT_FAMILY);

    private static final long IMPORTANT = 1L << 60;
    private static final long INLINE = 1L << 50;
    private static final long ANIMATED = 1L << 51;
    private static final int FRAME = 48;
    private static final long SHEET = 1L << 49;
    private static final int ORDER = 20;
    private static final Set<String> GROUNDED =
            Set.of("body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "marquee");
    private static final Set<String> PREFORMATTED = Set.of("pre", "listing", "xmp", "plaintext", "textarea");
    private static final Set<CssProperty> COLORS = EnumSet.of(CssProperty.COLOR, CssProperty.FILL, CssProperty.GROUND);
    private static final int LEAST_LOOKS = 50_000;
    private static final int LOOKS_FOR_A_CHARACTER = 4;

    private final CssRules rules;
    private final Map<String, List<CssDeclaration>> inline = new HashMap<>();
    private final Map<String, List<String>> classes = new HashMap<>();
    private final Map<CssProperty, Winner> won = new EnumMap<>(CssProperty.class);

    /** What wins among that which surely holds. */
    private final Map<CssProperty, Winner> surely = new EnumMap<>(CssProperty.class);

    private final long most;
    private long looks;

    private record Winner(CssDeclaration declaration, long priority) {}

    /** @param characters of the HTML, in proportion to which there are looks */
    Cascade(CssRules rules, int characters) {
        this.rules = rules;
        this.most = LEAST_LOOKS + (long) characters * LOOKS_FOR_A_CHARACTER;
    }

    /** A walk through the document begins. */
    void begin() {
        looks = most;
    }

    /** Whether nothing is known of any rule that was not looked at. */
    boolean isInDoubt() {
        return looks <= 0 || rules.isFull();
    }

    boolean isWhole() {
        return rules.isWhole() && !isInDoubt();
    }

    @Override
    public boolean spend(int number) {
        looks -= number;
        return looks > 0;
    }

    @Override
    public List<String> classes(Element element) {
        String written = element.attr("class");
        return written.isEmpty() ? List.of() : classes.computeIfAbsent(written, CssText::words);
    }

    /** Whether anything is declared for an element; then {@link #of} tells it. */
    boolean read(Element element, CssTextStyle around) {
        won.clear();
        surely.clear();
        if (element.nameIs("dialog") && !element.hasAttr("open")) {
            hint(CssProperty.DISPLAY, "none");
        }
        if (PREFORMATTED.contains(element.normalName())) {
            hint(CssProperty.WHITE_SPACE, "pre");
        }
        switch (element.normalName()) {
            case "b", "strong" -> hint(CssProperty.FONT_WEIGHT, "bold", !around.isBold());
            case "s", "strike", "del" -> hint(CssProperty.DECORATION, "line-through", !around.isStruck());
            case "h1", "h2", "h3", "h4", "h5", "h6", "th" -> hint(CssProperty.FONT_WEIGHT, "normal", around.isBold());
            default -> {}
        }
        if (element.attributesSize() > 0) {
            attributes(element);
        }
        if (!rules.isEmpty()) {
            sheets(element);
        }
        if (element.attributesSize() > 0) {
            String style = element.attr("style");
            if (!style.isEmpty()) {
                inline.computeIfAbsent(style, CssDeclarations::of)
                        .forEach(declaration -> add(declaration, INLINE + (1L << ORDER), CssTruth.YES));
            }
        }
        return !won.isEmpty();
    }

    private void hint(CssProperty property, String value, boolean isChange) {
        if (isChange) {
            hint(property, value);
        }
    }

    /** Whether all that is declared says how the text is set. */
    boolean isOfStyle() {
        return STYLE.containsAll(won.keySet());
    }

    /** What is declared of a property; null when nothing is. */
    @Nullable
    CssDeclaration of(CssProperty property) {
        Winner winner = won.get(property);
        return winner == null ? null : winner.declaration;
    }

    /** The colour that is declared without doubt; null when none is. */
    @Nullable
    CssDeclaration sure(CssProperty property) {
        Winner winner = surely.get(property);
        return winner == null ? null : winner.declaration;
    }

    /** What the frames of an animation declare, in their order; null when the mail has no such animation. */
    @Nullable
    List<List<CssDeclaration>> frames(String animation) {
        return rules.frames(animation);
    }

    /**
     * Tells what is declared of an element in a frame of an animation, while something is done.
     *
     * @return whether there were looks for it
     */
    boolean during(List<CssDeclaration> frame, Runnable done) {
        Map<CssProperty, Winner> before = new EnumMap<>(won);
        Map<CssProperty, Winner> surelyBefore = new EnumMap<>(surely);
        boolean left = spend(FRAME + frame.size());
        if (left) {
            frame.forEach(declaration -> add(declaration, ANIMATED, CssTruth.YES));
            done.run();
        }
        won.clear();
        won.putAll(before);
        surely.clear();
        surely.putAll(surelyBefore);
        return left;
    }

    private void sheets(Element element) {
        sheet("*", element);
        sheet(element.normalName(), element);
        for (String name : classes(element)) {
            if (!spend(1)) {
                break;
            }
            sheet("." + name.toLowerCase(Locale.ROOT), element);
        }
        if (!element.id().isEmpty()) {
            sheet("#" + element.id().toLowerCase(Locale.ROOT), element);
        }
    }

    private void sheet(String key, Element element) {
        for (CssRules.Rule rule : rules.of(key)) {
            CssTruth holds = looks <= 0
                    ? CssTruth.MAYBE
                    : rule.condition().and(rule.selector().holds(element, this));
            if (holds != CssTruth.NO) {
                long priority = SHEET + ((long) rule.selector().specificity() << ORDER) + rule.order();
                for (CssDeclaration declaration : rule.declarations()) {
                    add(declaration, priority, rules.isFull() ? CssTruth.MAYBE : holds);
                }
            }
            if (looks <= 0) {
                return;
            }
        }
    }

    /** HTML, "presentational hints": before all sheets. */
    private void attributes(Element element) {
        String name = element.normalName();
        if (element.hasAttr("hidden")) {
            hint(CssProperty.DISPLAY, "none");
        }
        String ground = element.attr("bgcolor");
        if (!ground.isEmpty() && GROUNDED.contains(name)) {
            hint(CssProperty.GROUND, color(ground));
        }
        if (!element.attr("background").isEmpty()) {
            hint(CssProperty.PICTURE, "picture");
        }
        String color = element.attr(name.equals("body") ? "text" : name.equals("font") ? "color" : "-");
        if (!color.isEmpty()) {
            hint(CssProperty.COLOR, color(color));
        }
        if (name.equals("font") && !element.attr("size").isEmpty()) {
            hint(CssProperty.FONT_SIZE, "medium"); // the smallest is 10 px
        }
    }

    private static String color(String written) {
        CssColor color = CssColor.ofAttribute(written);
        return color == null ? "unknown" : color.hex();
    }

    private void hint(CssProperty property, String value) {
        add(new CssDeclaration(property, value, false, false), 1, CssTruth.YES);
    }

    private void add(CssDeclaration declaration, long priority, CssTruth holds) {
        long rank = declaration.important() ? priority + IMPORTANT : priority;
        boolean sure = holds == CssTruth.YES && !declaration.doubtful();
        CssProperty property = declaration.property();
        if (sure && COLORS.contains(property)) {
            Winner earlier = surely.get(property);
            if (earlier == null || earlier.priority <= rank) {
                surely.put(property, new Winner(declaration, rank));
            }
        }
        Winner before = won.get(property);
        // What may be taken back is in doubt; of two values it is the one that hides.
        if (before != null && before.priority > rank) {
            if (sure && before.declaration.doubtful() && declaration.isHiding() && !before.declaration.isHiding()) {
                won.put(property, new Winner(declaration.inDoubt(), before.priority));
            }
            return;
        }
        CssDeclaration value = sure ? declaration : declaration.inDoubt();
        if (!sure && before != null && before.declaration.isHiding() && !declaration.isHiding()) {
            value = before.declaration.inDoubt();
        }
        won.put(property, new Winner(value, rank));
    }
}
