package dev.inboxd.cli.mail;

import dev.inboxd.base.json.JsonTree;
import java.util.List;

/** A message as text that a person reads. What warns of it stands above it. */
final class MessageText {
    private static final List<String> WARNINGS = List.of("spam", "blocked", "unauthenticated", "held");

    private MessageText() {}

    /**
     * The whole text.
     *
     * @param message as the API answers it
     * @param isWhole whether what is quoted from earlier mail is part of it
     */
    static String of(JsonTree message, boolean isWhole) {
        StringBuilder text = new StringBuilder();
        line(text, "From", message.text("from"));
        line(text, "To", String.join(", ", message.texts("to")));
        line(text, "Cc", String.join(", ", message.texts("cc")));
        line(text, "Date", message.text("timestamp"));
        line(text, "Subject", message.text("subject"));
        line(text, "Labels", String.join(", ", message.texts("labels")));
        line(text, "Message", message.text("message_id"));
        line(text, "Thread", message.text("thread_id"));
        files(text, message);
        List<String> warnings =
                message.texts("labels").stream().filter(WARNINGS::contains).toList();
        line(text, "Beware", String.join(", ", warnings));
        boolean hasOwn = !isWhole && !message.text("extracted_text").isEmpty();
        String body = message.text(message.has("markdown") ? "markdown" : hasOwn ? "extracted_text" : "text");
        text.append('\n').append(TextTable.lines(body.isEmpty() ? message.text("preview") : body));
        return text.toString().stripTrailing();
    }

    static void files(StringBuilder text, JsonTree message) {
        for (JsonTree file : message.list("attachments")) {
            line(
                    text,
                    "File",
                    file.text("filename") + " (" + file.text("content_type") + ", " + file.text("size") + " bytes, "
                            + file.text("attachment_id") + ")");
        }
    }

    static void line(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(name)
                    .append(": ")
                    .append(" ".repeat(Math.max(0, 7 - name.length())))
                    .append(TextTable.visible(value.replace('\n', ' ')))
                    .append('\n');
        }
    }
}
