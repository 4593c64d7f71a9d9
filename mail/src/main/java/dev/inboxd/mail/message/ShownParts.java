package dev.inboxd.mail.message;

import dev.inboxd.mail.format.FlowedText;
import dev.inboxd.mail.format.HtmlDocument;
import dev.inboxd.mail.text.BlankText;
import dev.inboxd.mail.text.HtmlText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a message that are shown, one after another in both forms (RFC 2046 §5.1.3): a part that has no
 * alternative is rendered for the other form, a text that nobody can see hides no HTML, and a document of HTML that was
 * sent as plain text is rendered (ruling 135).
 */
final class ShownParts {
    private final List<Place> places = new ArrayList<>(1);

    /** What stands at one place: a part, or the alternatives of a multipart/alternative. */
    private static final class Place {
        private final @Nullable Multipart alternative;
        private final StringBuilder text = new StringBuilder(0);
        private final StringBuilder flowed = new StringBuilder(0);
        private final StringBuilder html = new StringBuilder(0);
        /** What was sent as plain text and is an HTML document. */
        private final StringBuilder document = new StringBuilder(0);

        private boolean hasText;
        private boolean hasHtml;

        Place(@Nullable Multipart alternative) {
            this.alternative = alternative;
        }

        boolean isTextSeen() {
            return hasText && !(document.isEmpty() && BlankText.isBlank(text.toString()));
        }

        String text(StringBuilder form) {
            if (!document.isEmpty()) {
                var all = new StringBuilder(form);
                append(
                        all,
                        asText(hasHtml ? html.toString() : document.toString()).stripTrailing());
                return all.toString();
            }
            return isTextSeen() || !hasHtml ? form.toString() : asText(html.toString());
        }

        String html() {
            return hasHtml ? html.toString() : asHtml(text(text));
        }
    }

    private boolean hasFlowed;

    /**
     * Adds a part behind the others.
     *
     * @param alternative the outermost multipart/alternative around it, null when there is none
     */
    void add(@Nullable Multipart alternative, Entity leaf, String content) {
        Place last = places.isEmpty() ? null : places.getLast();
        if (last == null || alternative == null || !alternative.equals(last.alternative)) {
            last = new Place(alternative);
            places.add(last);
        }
        if (leaf.mediaType().equals("text/html")) {
            last.hasHtml = true;
            append(last.html, content);
            return;
        }
        last.hasText = true;
        if (HtmlDocument.isAtStart(content)) {
            append(last.document, content);
            return;
        }
        append(last.text, content);
        append(last.flowed, leaf.isFlowed() ? FlowedText.join(content, leaf.isDelSp()) : content);
        hasFlowed |= leaf.isFlowed();
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    /** All text; null when no part of it can be seen and there is HTML, or when there is neither. */
    @Nullable
    String text() {
        return text(place -> place.text(place.text));
    }

    /** All text with joined lines; null when no part of it is format=flowed. */
    @Nullable
    String flowed() {
        return hasFlowed ? text(place -> place.text(place.flowed)) : null;
    }

    private @Nullable String text(Function<Place, String> form) {
        boolean hasHtml = places.stream().anyMatch(place -> place.hasHtml);
        boolean isShown = places.stream().anyMatch(hasHtml ? Place::isTextSeen : place -> place.hasText);
        return isShown ? join(form) : null;
    }

    /** All HTML; null when no part is HTML. */
    @Nullable
    String html() {
        return places.stream().anyMatch(place -> place.hasHtml) ? join(Place::html) : null;
    }

    private String join(Function<Place, String> form) {
        if (places.size() == 1) {
            return form.apply(places.getFirst());
        }
        StringBuilder all = new StringBuilder();
        places.forEach(place -> append(all, form.apply(place)));
        return all.toString();
    }

    private static void append(StringBuilder all, String part) {
        if (!all.isEmpty() && all.charAt(all.length() - 1) != '\n') {
            all.append('\n');
        }
        all.append(part);
    }

    /** HTML as text; nothing when it cannot be read. */
    private static String asText(String html) {
        try {
            return HtmlText.render(html) + "\n";
        } catch (RuntimeException unforeseen) {
            return ""; // the message is stored and shown all the same
        }
    }

    /** Text as HTML that looks the same; nothing for text that nobody can see. */
    private static String asHtml(String text) {
        if (BlankText.isBlank(text)) {
            return "";
        }
        StringBuilder html = new StringBuilder(text.length() + 64).append("<div style=\"white-space: pre-wrap\">");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '&' -> html.append("&amp;");
                default -> html.append(c);
            }
        }
        return html.append("</div>\n").toString();
    }
}
