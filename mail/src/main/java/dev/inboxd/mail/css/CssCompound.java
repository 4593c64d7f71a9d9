package dev.inboxd.mail.css;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** Simple selectors that hold for one element (Selectors 4, "compound selector"): {@code td.note#a[width]}. */
final class CssCompound {
    private static final int CLASS = 1 << 8;
    private static final int ID = 1 << 16;
    private static final int MOST_COUNTED = 255;

    private String element = "";
    private String id = "";
    private final List<String> classes = new ArrayList<>(1);
    private final List<Attribute> attributes = new ArrayList<>(0);

    /** What all that is not looked at in the element says: nothing, or that it may hold, or never does. */
    private CssTruth residual = CssTruth.YES;

    private int specificity;

    /** @param operator empty, {@code =}, {@code ~=}, {@code |=}, {@code ^=}, {@code $=} or {@code *=} */
    private record Attribute(String name, String operator, String value, boolean anyCase) {
        boolean holds(Element of) {
            if (!of.hasAttr(name)) {
                return false;
            }
            String is = anyCase ? of.attr(name).toLowerCase(Locale.ROOT) : of.attr(name);
            return switch (operator) {
                case "" -> true;
                case "=" -> is.equals(value);
                case "^=" -> !value.isEmpty() && is.startsWith(value);
                case "$=" -> !value.isEmpty() && is.endsWith(value);
                case "*=" -> !value.isEmpty() && is.contains(value);
                case "~=" -> !value.isEmpty() && CssText.words(is).contains(value);
                default -> is.equals(value) || is.startsWith(value + "-");
            };
        }

        /** A value is looked for at each place of the attribute. */
        int cost(Element of) {
            long looks = of.attr(name).length() / 16L * (operator.equals("*=") ? 1 + value.length() : 1);
            return (int) Math.min(1 + looks, MOST_COST);
        }
    }

    private static final int MOST_COST = 1 << 24;
    private static final int LONGEST_VALUE = 256;

    private CssCompound() {}

    /** Reads one; what is not understood may hold. */
    static CssCompound of(String text) {
        CssCompound compound = new CssCompound();
        for (int at = 0; at < text.length(); ) {
            int end = CssText.next(text, at + 1, ".#[:");
            compound.add(text.substring(at, end));
            at = end;
        }
        return compound;
    }

    private void add(String simple) {
        String name = CssText.unescaped(simple.substring(1));
        switch (simple.charAt(0)) {
            case '.' -> {
                classes.add(name);
                count(CLASS);
            }
            case '#' -> {
                residual = id.isEmpty() || id.equals(name) ? residual : CssTruth.NO;
                id = name;
                count(ID);
            }
            case '[' -> attribute(simple);
            case ':' -> {
                residual = residual.and(pseudo(name.toLowerCase(Locale.ROOT)));
                count(CLASS);
            }
            case '*' -> residual = simple.length() == 1 ? residual : CssTruth.MAYBE;
            default -> {
                element = CssText.unescaped(simple).toLowerCase(Locale.ROOT);
                count(1);
            }
        }
    }

    private void count(int more) {
        boolean full = (specificity / more & MOST_COUNTED) == MOST_COUNTED;
        specificity += full ? 0 : more;
    }

    private void attribute(String simple) {
        count(CLASS);
        String inside =
                simple.endsWith("]") ? simple.substring(1, simple.length() - 1).strip() : "";
        int equals = inside.indexOf('=');
        boolean marked = equals > 0 && "~|^$*".indexOf(inside.charAt(equals - 1)) >= 0;
        String name = (equals < 0 ? inside : inside.substring(0, marked ? equals - 1 : equals)).strip();
        if (name.isEmpty() || !name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '-' || c == '_')) {
            residual = residual.and(CssTruth.MAYBE);
            return;
        }
        List<String> words = equals < 0 ? List.of() : CssText.words(inside.substring(equals + 1));
        boolean anyCase = words.size() == 2 && words.get(1).equalsIgnoreCase("i");
        if (equals >= 0 && words.size() != 1 && !anyCase) {
            residual = residual.and(CssTruth.MAYBE);
            return;
        }
        String value = words.isEmpty() ? "" : unquoted(words.getFirst());
        if (value.length() > LONGEST_VALUE) { // which takes long to look for, and no sheet of a real mail has
            residual = residual.and(CssTruth.MAYBE);
            return;
        }
        attributes.add(new Attribute(
                name.toLowerCase(Locale.ROOT),
                equals < 0 ? "" : inside.substring(marked ? equals - 1 : equals, equals + 1),
                anyCase ? value.toLowerCase(Locale.ROOT) : value,
                anyCase));
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && (value.charAt(0) == '"' || value.charAt(0) == '\'');
        return CssText.unescaped(quoted ? value.substring(1, value.length() - 1) : value);
    }

    /** What a person does with the mail is not known before, and a pseudo-element is no text of the mail. */
    private static CssTruth pseudo(String name) {
        return switch (name) {
            case "hover", "focus", "active", "visited", "target", "focus-within", "focus-visible", "checked" ->
                CssTruth.NO;
            case "before", "after", "first-letter", "first-line" -> CssTruth.NO;
            default -> name.startsWith(":") ? CssTruth.NO : CssTruth.MAYBE;
        };
    }

    /** How specific it is (Selectors 4 §16): ids, then classes, then elements. */
    int specificity() {
        return specificity;
    }

    /** Whether it says anything of an element. */
    boolean isNever() {
        return residual == CssTruth.NO;
    }

    /** Under what its rule is looked up: an id, else a class, else an element, all in small letters; else {@code *}. */
    String key() {
        return !id.isEmpty()
                ? "#" + id.toLowerCase(Locale.ROOT)
                : !classes.isEmpty()
                        ? "." + classes.getFirst().toLowerCase(Locale.ROOT)
                        : element.isEmpty() ? "*" : element;
    }

    /** Whether it may hold for any element of a document with these names. */
    boolean mayHold(Set<String> names) {
        return (element.isEmpty() || names.contains(element))
                && (id.isEmpty() || names.contains("#" + id.toLowerCase(Locale.ROOT)))
                && classes.stream().allMatch(name -> names.contains("." + name.toLowerCase(Locale.ROOT)));
    }

    /** Whether it holds for an element; in letters of another case it may. */
    CssTruth holds(Element of, List<String> its) {
        if (residual == CssTruth.NO || (!element.isEmpty() && !element.equals(of.normalName()))) {
            return CssTruth.NO;
        }
        CssTruth all = residual;
        if (!id.isEmpty()) {
            all = all.and(named(id, of.id()));
        }
        for (String required : classes) {
            CssTruth match = CssTruth.NO;
            for (String name : its) {
                match = match.or(named(required, name));
            }
            all = all.and(match);
        }
        for (Attribute attribute : attributes) {
            all = all == CssTruth.NO ? all : all.and(CssTruth.of(attribute.holds(of)));
        }
        return all;
    }

    /** The number of looks that it takes, about. */
    int cost(Element of, List<String> its) {
        int cost = 1 + classes.size() * its.size();
        for (Attribute attribute : attributes) {
            cost += attribute.cost(of);
        }
        return cost;
    }

    private static CssTruth named(String required, @Nullable String is) {
        return required.equals(is) ? CssTruth.YES : required.equalsIgnoreCase(is) ? CssTruth.MAYBE : CssTruth.NO;
    }
}
