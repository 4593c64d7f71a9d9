package dev.inboxd.mail.reply;

import dev.inboxd.mail.reply.line.LineKind;
import dev.inboxd.mail.reply.phrase.Phrases;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The elements in which mail programs put quotes, read from {@code markup.txt}. */
final class Markup {
    private static final int MAX_TOKEN = 64;
    private static final Map<String, LineKind> MARKS = new HashMap<>();

    static {
        for (String line : Phrases.read("markup.txt")) {
            String[] fields = line.split(" +", 4);
            MARKS.put(
                    fields[1] + " " + fields[2],
                    switch (fields[0]) {
                        case "quote" -> LineKind.QUOTE;
                        case "attribution" -> LineKind.ATTRIBUTION;
                        case "divider" -> LineKind.ORIGINAL;
                        default -> throw new IllegalStateException("markup.txt: " + line);
                    });
        }
    }

    private Markup() {}

    /** The kind of the lines in an element; null when the element does not tell. */
    static @Nullable LineKind of(Element element) {
        if (element.attributesSize() == 0) {
            return null;
        }
        LineKind mark = ofId(element.attr("id"));
        mark = mark != null ? mark : ofToken("name ", element.attr("name"));
        // Gmail's button for a quotation of the author's own makes a blockquote of the class of its replies.
        boolean indents = element.nameIs("blockquote") && element.hasClass("gmail_quote");
        mark = mark != null || indents ? mark : ofClasses(element.attr("class"));
        return mark != null ? mark : ofAttributes(element);
    }

    private static @Nullable LineKind ofId(String id) {
        LineKind mark = ofToken("id ", id);
        // Ids that end with a number of their own.
        int dash = id.lastIndexOf('-', MAX_TOKEN);
        return mark != null || dash < 0 ? mark : MARKS.get("id " + id.substring(0, dash + 1) + "…");
    }

    private static @Nullable LineKind ofClasses(String classes) {
        LineKind mark = null;
        for (int start = 0; start < classes.length() && mark == null; ) {
            int space = classes.indexOf(' ', start);
            int end = space < 0 ? classes.length() : space;
            mark = ofToken("class ", classes.substring(start, end));
            start = end + 1;
        }
        return mark;
    }

    private static @Nullable LineKind ofToken(String where, String value) {
        return value.isEmpty() || value.length() > MAX_TOKEN ? null : MARKS.get(where + value);
    }

    private static @Nullable LineKind ofAttributes(Element element) {
        return switch (element.normalName()) {
            case "blockquote" ->
                element.attr("cite").isBlank()
                        ? MARKS.get("attribute blockquote[type=" + lower(element, "type") + "]")
                        : LineKind.QUOTE;
            case "hr", "div" ->
                isBorder(element)
                        ? LineKind.ORIGINAL
                        : ofMarker(element, "data-marker", ofMarker(element, "tabindex", null));
            default -> null;
        };
    }

    private static @Nullable LineKind ofMarker(Element element, String name, @Nullable LineKind otherwise) {
        LineKind mark = MARKS.get("attribute " + element.normalName() + "[" + name + "=" + element.attr(name) + "]");
        return mark != null ? mark : otherwise;
    }

    /** Whether the element is Outlook's header block. A border above it is its only sign in an unknown language. */
    private static boolean isBorder(Element element) {
        String style = lower(element, "style");
        return style.contains("border-top:solid") && style.contains("padding:3");
    }

    private static String lower(Element element, String name) {
        return element.attr(name).toLowerCase(Locale.ROOT);
    }
}
