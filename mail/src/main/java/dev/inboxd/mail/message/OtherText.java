package dev.inboxd.mail.message;

import dev.inboxd.mail.format.EnrichedText;
import java.util.Set;

/**
 * Texts of another subtype than plain and html. What the reader does not know is plain text (RFC 2046 §4.1.4), and the
 * body of a message that has no other (ruling 134).
 */
final class OtherText {
    /** Data, cards, styles, programs and forms of HTML for some readers: no words of a person. */
    private static final Set<String> NO_BODY = Set.of(
            "calendar",
            "x-vcalendar",
            "csv",
            "x-csv",
            "comma-separated-values",
            "tab-separated-values",
            "vcard",
            "x-vcard",
            "directory",
            "css",
            "rtf",
            "x-rtf",
            "x-amp-html",
            "watch-html",
            "x-watch-html",
            "javascript",
            "x-javascript",
            "ecmascript",
            "rfc822-headers");

    private OtherText() {}

    /** Whether the leaf can be the body: a text without a name that is no attachment. */
    static boolean mayBeBody(Entity leaf) {
        String type = leaf.mediaType();
        return type.startsWith("text/")
                && !isPlainOrHtml(leaf)
                && !NO_BODY.contains(type.substring("text/".length()))
                && leaf.filename() == null
                && !leaf.isAttachment();
    }

    /** Whether the leaf is a text that is a body beside others. */
    static boolean isPlainOrHtml(Entity leaf) {
        return leaf.mediaType().equals("text/plain") || leaf.mediaType().equals("text/html");
    }

    /** The words of a text, without the commands of its format. */
    static String plain(Entity leaf, String content) {
        return switch (leaf.mediaType()) {
            case "text/enriched" -> EnrichedText.plain(content, false);
            case "text/richtext" -> EnrichedText.plain(content, true);
            default -> content;
        };
    }
}
