package dev.inboxd.mail.css;

import static dev.inboxd.mail.css.CssProperty.*;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/** Reads declarations of CSS as far as they decide whether a text is seen. Invalid ones are left out, as CSS has it. */
public final class CssDeclarations {
    private static final int MAX_VALUE = 1_000;
    private static final Set<String> WIDE = Set.of("inherit", "initial", "unset", "revert", "revert-layer");
    private static final Set<String> SIZES = Set.of(
            "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "smaller", "larger");
    private static final Set<String> SPACES =
            Set.of("normal nowrap pre pre-wrap pre-line break-spaces collapse preserve preserve-breaks".split(" "));

    private final List<CssDeclaration> declarations = new ArrayList<>(4);
    private boolean important;
    private boolean doubtful;

    private CssDeclarations() {}

    /** The declarations of {@code name: value; …}, in their order; what stands in braces among them is left out. */
    public static List<CssDeclaration> of(String css) {
        return of(css, _ -> {});
    }

    /** The same, with each rule within told (CSS Nesting). */
    public static List<CssDeclaration> of(String css, Consumer<String> rules) {
        CssDeclarations reader = new CssDeclarations();
        reader.read(CssText.withoutComments(css), rules);
        if (css.contains("/*")) {
            reader.readJoined(css);
        }
        return reader.declarations;
    }

    private void read(String css, Consumer<String> rules) {
        for (int at = 0; at < css.length(); ) {
            int end = CssText.next(css, at, ";{");
            if (end < css.length() && css.charAt(end) == '{') {
                int close = CssText.endOfBlock(css, end);
                rules.accept(css.substring(at, Math.min(css.length(), close + 1)));
                at = close + 1;
                continue;
            }
            int colon = css.indexOf(':', at, end);
            if (colon > at && end - colon <= MAX_VALUE) {
                declared(css.substring(at, colon).strip(), css.substring(colon + 1, end));
            }
            at = end + 1;
        }
    }

    /** Some programs take out comments before they read words. */
    private void readJoined(String css) {
        StringBuilder joined = new StringBuilder();
        int from = 0;
        for (int open = css.indexOf("/*"); open >= 0; open = css.indexOf("/*", from)) {
            joined.append(css, from, open);
            int close = css.indexOf("*/", open + 2);
            from = close < 0 ? css.length() : close + 2;
        }
        CssDeclarations uncommented = new CssDeclarations();
        uncommented.read(joined.append(css, from, css.length()).toString(), _ -> {});
        uncommented.declarations.removeAll(Set.copyOf(declarations));
        uncommented.declarations.forEach(declaration -> declarations.add(declaration.inDoubt()));
    }

    private void declared(String name, String written) {
        if (name.startsWith("border") || name.startsWith("mso-") || name.equals("text-align")) {
            return; // which mails say of most elements
        }
        String value = CssText.unescaped(written).toLowerCase(Locale.ROOT).strip();
        int mark = value.lastIndexOf('!');
        important = mark >= 0 && value.substring(mark + 1).strip().equals("important");
        doubtful = mark >= 0 && !important;
        String bare = mark < 0 ? value : value.substring(0, mark).strip();
        if (!bare.isEmpty()) {
            read(CssText.unescaped(name).toLowerCase(Locale.ROOT), bare);
        }
    }

    private void read(String name, String value) {
        switch (name) {
            case "display" -> oneOf(DISPLAY, value, CssDisplay.WORDS);
            case "visibility" -> oneOf(VISIBILITY, value, Set.of("visible", "hidden", "collapse"));
            case "white-space", "white-space-collapse" -> oneOf(WHITE_SPACE, value, SPACES);
            case "content-visibility" -> add(CONTENT_VISIBILITY, value);
            case "opacity" -> number(OPACITY, value);
            case "font-size" -> size(value);
            case "font" -> font(value);
            case "overflow", "overflow-x", "overflow-y" -> add(OVERFLOW, value);
            case "position" -> add(POSITION, value);
            case "float" -> add(FLOAT, value);
            case "color" -> color(COLOR, value);
            case "-webkit-text-fill-color" -> color(FILL, value);
            case "background-color" -> color(GROUND, value);
            case "background-image" -> add(PICTURE, value);
            case "background" -> background(value);
            case "clip" -> add(CLIP, value);
            case "clip-path", "-webkit-clip-path" -> add(CLIP_PATH, value);
            case "transform", "-webkit-transform", "-ms-transform" -> add(TRANSFORM, value);
            case "scale" -> add(SCALE, value);
            case "translate" -> add(TRANSLATE, value);
            case "rotate" -> add(ROTATE, value);
            case "zoom" -> addInDoubt(ZOOM, value);
            case "mask", "mask-image", "-webkit-mask", "-webkit-mask-image" -> add(MASK, value);
            default -> effects(name, value);
        }
    }

    private void effects(String name, String value) {
        switch (name) {
            case "filter", "-webkit-filter" -> {
                add(FILTER, value);
                effect(CssFilter.of(value).isRecoloring() ? value : "none");
            }
            case "backdrop-filter", "-webkit-backdrop-filter" -> effect(value);
            case "mix-blend-mode" -> add(BLEND, value);
            case "text-shadow" -> add(SHADOW, value);
            case "-webkit-text-stroke", "-webkit-text-stroke-width" -> add(STROKE, value);
            case "-webkit-text-stroke-color" -> color(STROKE_COLOR, value);
            case "background-clip", "-webkit-background-clip" -> add(GROUND_CLIP, value);
            case "animation", "animation-name" -> add(ANIMATION, value);
            case "-webkit-animation", "-webkit-animation-name" -> add(ANIMATION, value);
            case "animation-fill-mode", "-webkit-animation-fill-mode" -> add(ANIMATION_FILL, value);
            case "animation-play-state", "-webkit-animation-play-state" -> add(ANIMATION_STATE, value);
            case "animation-delay", "animation-duration" -> add(ANIMATION_TIME, value);
            case "all" -> {
                if (WIDE.contains(value)) {
                    add(CHANGE, value);
                }
            }
            default -> lengths(name, value);
        }
    }

    private void lengths(String name, String value) {
        switch (name) {
            case "height", "block-size" -> length(HEIGHT, value);
            case "width", "inline-size" -> length(WIDTH, value);
            case "max-height", "max-block-size" -> length(MAX_HEIGHT, value);
            case "max-width", "max-inline-size" -> length(MAX_WIDTH, value);
            case "min-height", "min-block-size" -> length(MIN_HEIGHT, value);
            case "min-width", "min-inline-size" -> length(MIN_WIDTH, value);
            case "left", "inset-inline-start" -> length(LEFT, value);
            case "top", "inset-block-start" -> length(TOP, value);
            case "right", "inset-inline-end" -> length(RIGHT, value);
            case "bottom", "inset-block-end" -> length(BOTTOM, value);
            case "line-height" -> add(LINE_HEIGHT, value);
            case "letter-spacing" -> length(LETTER_SPACING, value);
            case "z-index" -> add(Z_INDEX, value);
            case "text-indent" -> length(TEXT_INDENT, CssText.words(value).getFirst());
            case "margin-left", "margin-inline-start" -> length(MARGIN_LEFT, value);
            case "margin-top", "margin-block-start" -> length(MARGIN_TOP, value);
            case "margin" -> sides(value, MARGIN_TOP, MARGIN_LEFT);
            case "margin-inline" -> length(MARGIN_LEFT, CssText.words(value).getFirst());
            case "margin-block" -> length(MARGIN_TOP, CssText.words(value).getFirst());
            case "inset" -> inset(CssText.words(value));
            case "padding" -> {
                add(PADDING_VERTICAL, value);
                add(PADDING_HORIZONTAL, value);
            }
            case "padding-top", "padding-bottom" -> add(PADDING_VERTICAL, value);
            case "padding-left", "padding-right" -> add(PADDING_HORIZONTAL, value);
            case "font-weight" -> add(FONT_WEIGHT, value);
            case "font-family" -> add(FONT_FAMILY, value);
            case "text-decoration", "text-decoration-line" -> add(DECORATION, value);
            default -> {}
        }
    }

    private void add(CssProperty property, String value) {
        declarations.add(new CssDeclaration(property, value, important, doubtful || value.contains("var(")));
    }

    private void addInDoubt(CssProperty property, String value) {
        declarations.add(new CssDeclaration(property, value, important, true));
    }

    private void oneOf(CssProperty property, String value, Set<String> keywords) {
        if (keywords.contains(value) || WIDE.contains(value) || value.contains("var(")) {
            add(property, value);
        } else if (property == DISPLAY && CssText.words(value).stream().allMatch(CssDisplay::isWord)) {
            add(property, "block");
        }
    }

    private void number(CssProperty property, String value) {
        CssLength number = CssLength.of(value);
        boolean valid =
                number != null && (number.unit().isEmpty() || number.unit().equals("%"));
        if (valid || isUnread(value)) {
            add(property, value);
        }
    }

    private static boolean isUnread(String value) {
        return value.indexOf('(') >= 0 || WIDE.contains(value);
    }

    private void length(CssProperty property, String value) {
        CssLength length = CssLength.of(value);
        if (length == null || length.isLength()) {
            add(property, value);
        } else {
            addInDoubt(property, value + "px"); // valid in pages without a doctype, for some properties
        }
    }

    private void size(String value) {
        CssLength length = CssLength.of(value);
        if (length != null ? length.number() >= 0 && length.isLength() : SIZES.contains(value) || isUnread(value)) {
            add(FONT_SIZE, value);
        } else if (length != null && length.number() >= 0) {
            addInDoubt(FONT_SIZE, value + "px");
        }
    }

    /** The size of a font stands before a slash or the name of the family. */
    private void font(String value) {
        for (String word : CssText.words(value)) {
            int slash = word.indexOf('/');
            String size = slash < 0 ? word : word.substring(0, slash);
            CssLength length = CssLength.of(size);
            if (SIZES.contains(size) || WIDE.contains(size) || (length != null && length.isLength())) {
                size(size);
                add(FONT_WEIGHT, CssFont.weight(value));
                add(FONT_FAMILY, value);
                return;
            }
        }
    }

    private void color(CssProperty property, String value) {
        CssColor system = CssColor.ofSystem(value);
        if (CssColor.of(value) != null || value.equals("currentcolor") || WIDE.contains(value)) {
            add(property, value);
        } else if (system != null) {
            addInDoubt(property, system.hex());
        } else if (value.indexOf('(') >= 0) {
            add(property, "unknown");
        } else if (CssColor.of("#" + value) != null) {
            addInDoubt(property, "#" + value); // valid in pages without a doctype
        }
    }

    private void background(String value) {
        String ground = "transparent";
        String picture = "none";
        for (String word : CssText.split(value, " \t\r\n\f,/")) {
            if (WIDE.contains(word)) {
                ground = word;
            } else if (word.startsWith("url(") || word.contains("gradient(") || word.contains("image")) {
                picture = word;
            } else if (CssColor.of(word) != null || word.equals("currentcolor")) {
                ground = word;
            } else if (word.indexOf('(') > 0) {
                ground = "unknown";
            }
        }
        add(GROUND, ground);
        add(PICTURE, picture);
        add(GROUND_CLIP, CssText.words(value).contains("text") ? "text" : "border-box");
    }

    private void effect(String value) {
        if (!value.equals("none") && !value.equals("normal") && !WIDE.contains(value)) {
            add(EFFECT, value);
        }
    }

    private void sides(String value, CssProperty top, CssProperty left) {
        List<String> words = CssText.words(value);
        length(top, words.getFirst());
        length(left, words.size() == 4 ? words.get(3) : words.size() > 1 ? words.get(1) : words.getFirst());
    }

    private void inset(List<String> words) {
        length(TOP, words.getFirst());
        length(RIGHT, words.size() > 1 ? words.get(1) : words.getFirst());
        length(BOTTOM, words.size() > 2 ? words.get(2) : words.getFirst());
        length(LEFT, words.size() > 3 ? words.get(3) : words.size() > 1 ? words.get(1) : words.getFirst());
    }
}
