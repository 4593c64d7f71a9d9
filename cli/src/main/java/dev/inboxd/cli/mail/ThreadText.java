package dev.inboxd.cli.mail;

import dev.inboxd.base.json.JsonTree;
import java.util.List;

/** A thread as text that a person reads: who wrote what, when, the oldest first. */
final class ThreadText {
    private ThreadText() {}

    /**
     * The whole text.
     *
     * @param pages of the transcript, as the API answers them, the oldest first
     */
    static String of(List<JsonTree> pages) {
        JsonTree thread = pages.getLast();
        StringBuilder text = new StringBuilder();
        MessageText.line(text, "Subject", thread.text("subject"));
        MessageText.line(text, "Labels", String.join(", ", thread.texts("labels")));
        MessageText.line(text, "Thread", thread.text("thread_id"));
        pages.stream().flatMap(page -> page.list("transcript").stream()).forEach(entry -> {
            text.append('\n');
            MessageText.line(text, entry.text("direction").equals("sent") ? "Sent" : "From", entry.text("from"));
            MessageText.line(text, "Date", entry.text("at"));
            MessageText.line(text, "Message", entry.text("message_id"));
            MessageText.files(text, entry);
            text.append("\n" + TextTable.lines(entry.text("markdown")) + "\n");
        });
        return text.toString().stripTrailing();
    }
}
