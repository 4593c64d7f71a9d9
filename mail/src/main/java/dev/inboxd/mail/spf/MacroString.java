package dev.inboxd.mail.spf;

import java.util.ArrayList;
import java.util.List;

/** A text with macros (RFC 7208 §7.1), parsed once and expanded as often as needed. */
final class MacroString {
    private static final String LETTERS = "slodiphcrtv";
    private static final String ONLY_EXPLAINING = "crt";
    private static final String DELIMITERS = ".-+,/_=";

    private final List<Part> parts;

    /** Values of the macro letters. */
    interface Values {
        String of(char letter);
    }

    private sealed interface Part {}

    private record Literal(String text) implements Part {}

    /** {@code %%}, {@code %_} and {@code %-}. They are macros in the grammar, so a domain may end with one. */
    private record Sign(String text) implements Part {}

    /** A macro; {@code keep} 0 keeps all labels; {@code escaped} is a macro with a capital letter. */
    private record Macro(char letter, int keep, boolean reversed, String delimiters, boolean escaped) implements Part {}

    private MacroString(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * Parses a macro-string.
     *
     * @param explaining whether it is an explanation, which may contain spaces and the letters c, r and t
     * @throws SpfException permerror, when it is malformed
     */
    static MacroString parse(String text, boolean explaining) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                boolean visible = c > ' ' && c < 0x7F;
                if (!visible && !(explaining && c == ' ')) {
                    throw SpfException.permanent("a character that no record may hold");
                }
                literal.append(c);
                continue;
            }
            char next = ++i < text.length() ? text.charAt(i) : 0;
            switch (next) {
                case '%' -> add(new Sign("%"), literal, parts);
                case '_' -> add(new Sign(" "), literal, parts);
                case '-' -> add(new Sign("%20"), literal, parts);
                case '{' -> {
                    int end = text.indexOf('}', i);
                    if (end < 0) {
                        throw SpfException.permanent("a macro without its end");
                    }
                    add(macro(text.substring(i + 1, end), explaining), literal, parts);
                    i = end;
                }
                default -> throw SpfException.permanent("a % that begins no macro");
            }
        }
        flush(literal, parts);
        return new MacroString(parts);
    }

    private static void flush(StringBuilder literal, List<Part> parts) {
        if (!literal.isEmpty()) {
            parts.add(new Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private static void add(Part part, StringBuilder literal, List<Part> parts) {
        flush(literal, parts);
        parts.add(part);
    }

    private static Macro macro(String inside, boolean explaining) {
        char letter = inside.isEmpty() ? 0 : Character.toLowerCase(inside.charAt(0));
        if (letter == 0 || LETTERS.indexOf(letter) < 0 || (!explaining && ONLY_EXPLAINING.indexOf(letter) >= 0)) {
            throw SpfException.permanent("an unknown macro");
        }
        int i = 1;
        int keep = 0;
        while (i < inside.length() && inside.charAt(i) >= '0' && inside.charAt(i) <= '9') {
            keep = Math.min(1_000, keep * 10 + inside.charAt(i++) - '0');
        }
        if (i > 1 && keep == 0) {
            throw SpfException.permanent("a macro that keeps nothing");
        }
        boolean reversed = i < inside.length() && (inside.charAt(i) == 'r' || inside.charAt(i) == 'R');
        String delimiters = inside.substring(reversed ? i + 1 : i);
        if (delimiters.chars().anyMatch(c -> DELIMITERS.indexOf(c) < 0)) {
            throw SpfException.permanent("a macro with an unknown transformer");
        }
        return new Macro(
                letter,
                keep,
                reversed,
                delimiters.isEmpty() ? "." : delimiters,
                Character.isUpperCase(inside.charAt(0)));
    }

    /** Whether it can be a domain: it ends in a macro, or in a dot and a top label (§7.1, domain-end). */
    boolean endsLikeDomain() {
        if (parts.isEmpty()) {
            return false;
        }
        if (!(parts.getLast() instanceof Literal(String text))) {
            return true;
        }
        String bare = QueryNames.withoutFinalDot(text);
        int dot = bare.lastIndexOf('.');
        return dot >= 0 && isTopLabel(bare.substring(dot + 1));
    }

    private static boolean isTopLabel(String label) {
        boolean clean = !label.isEmpty()
                && !label.startsWith("-")
                && !label.endsWith("-")
                && label.chars().allMatch(c -> isDigit(c) || isLetter(c) || c == '-');
        return clean && !label.chars().allMatch(MacroString::isDigit);
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /** The text with every macro replaced. */
    String expand(Values values) {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Literal(String text) -> out.append(text);
                case Sign(String text) -> out.append(text);
                case Macro macro -> {
                    String value = transformed(values.of(macro.letter), macro);
                    out.append(macro.escaped ? escaped(value) : value);
                }
            }
        }
        return out.toString();
    }

    private static String transformed(String value, Macro macro) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < value.length(); i++) {
            if (macro.delimiters.indexOf(value.charAt(i)) >= 0) {
                pieces.add(value.substring(from, i));
                from = i + 1;
            }
        }
        pieces.add(value.substring(from));
        List<String> ordered = macro.reversed ? pieces.reversed() : pieces;
        int drop = macro.keep == 0 ? 0 : Math.max(0, ordered.size() - macro.keep);
        return String.join(".", ordered.subList(drop, ordered.size()));
    }

    /** URL escaping: of all but the unreserved characters of RFC 3986 §2.3. */
    private static String escaped(String value) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (isDigit(c) || isLetter(c) || "-._~".indexOf(c) >= 0) {
                out.append(c);
            } else {
                out.append('%')
                        .append(Character.toUpperCase(Character.forDigit((c >> 4) & 15, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return out.toString();
    }
}
