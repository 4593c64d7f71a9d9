package dev.inboxd.mail.screen;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a mail, cut to what is read of them.
 *
 * @param head the author's name and the subject
 * @param text the text/plain body, null when there is none
 * @param source the text/html body, null when there is none
 * @param html what the HTML holds, null when there is none
 * @param attachments the texts of attachments
 * @param names what people and files are called, a paragraph each
 * @param fields the values of header fields
 */
record MailTexts(
        String head,
        @Nullable String text,
        @Nullable String source,
        @Nullable HtmlContent html,
        List<String> attachments,
        String names,
        String fields) {
    static final int MAX_TEXT = 256 * 1024;
    /** Of all attachments together. */
    static final int MAX_ATTACHMENTS = 640 * 1024;

    private static final int MAX_FIELDS = 128 * 1024;

    static MailTexts of(ScreenInput input) {
        String name = cut(input.fromName(), MAX_TEXT);
        String subject = cut(input.subject(), MAX_TEXT);
        String head = (name == null ? "" : name + ".\n") + (subject == null ? "" : subject + "\n");
        String source = cut(input.html(), MAX_TEXT);
        return new MailTexts(
                head,
                cut(input.text(), MAX_TEXT),
                source,
                source == null ? null : HtmlContent.of(source),
                attachments(input.attachments()),
                names(input.names()),
                input.fields().substring(0, Math.min(input.fields().length(), MAX_FIELDS)));
    }

    private static List<String> attachments(List<ScreenAttachment> all) {
        List<String> attachments = new ArrayList<>();
        int left = MAX_ATTACHMENTS;
        for (ScreenAttachment attachment : all) {
            String text = cut(attachment.text(), Math.min(left, MAX_TEXT));
            if (text != null && !text.isBlank()) {
                left -= text.length();
                boolean markup = attachment.contentType().contains("html")
                        || attachment.contentType().contains("svg");
                attachments.add(attachment.name() + ".\n" + (markup ? all(HtmlContent.of(text)) : text));
            }
        }
        return attachments;
    }

    /** The names, each as it stands and as its words. */
    private static String names(List<String> all) {
        StringBuilder names = new StringBuilder();
        for (String name : all) {
            if (names.length() + 2 * name.length() < MAX_TEXT) {
                names.append(NameWords.of(name)).append("\n\n");
            }
        }
        return names.toString();
    }

    private static String all(HtmlContent html) {
        return html.visible() + "\n\n" + html.hidden() + "\n\n" + html.attributes();
    }

    private static @Nullable String cut(@Nullable String text, int length) {
        return text == null || text.length() <= length ? text : text.substring(0, length);
    }
}
