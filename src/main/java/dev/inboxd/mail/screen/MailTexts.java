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
 */
record MailTexts(
        String head,
        @Nullable String text,
        @Nullable String source,
        @Nullable HtmlContent html,
        List<String> attachments) {
    static final int MAX_TEXT = 256 * 1024;
    static final int MAX_ATTACHMENT = 64 * 1024;
    static final int MAX_ATTACHMENTS = 10;

    static MailTexts of(ScreenInput input) {
        String name = cut(input.fromName(), MAX_TEXT);
        String subject = cut(input.subject(), MAX_TEXT);
        String head = (name == null ? "" : name + ".\n") + (subject == null ? "" : subject + "\n");
        String source = cut(input.html(), MAX_TEXT);
        List<String> attachments = new ArrayList<>();
        for (ScreenAttachment attachment : input.attachments()) {
            if (attachments.size() == MAX_ATTACHMENTS) {
                break;
            }
            String text = cut(attachment.text(), MAX_ATTACHMENT);
            if (text != null && !text.isBlank()) {
                boolean markup = attachment.contentType().contains("html")
                        || attachment.contentType().contains("svg");
                attachments.add(attachment.name() + ".\n" + (markup ? all(HtmlContent.of(text)) : text));
            }
        }
        return new MailTexts(
                head, cut(input.text(), MAX_TEXT), source, source == null ? null : HtmlContent.of(source), attachments);
    }

    private static String all(HtmlContent html) {
        return html.visible() + "\n\n" + html.hidden() + "\n\n" + html.attributes();
    }

    private static @Nullable String cut(@Nullable String text, int length) {
        return text == null || text.length() <= length ? text : text.substring(0, length);
    }
}
