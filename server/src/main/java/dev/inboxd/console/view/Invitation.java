package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import java.util.List;

/**
 * What the calendar of a mail is about.
 *
 * @param event as it stands now
 * @param message the mail
 * @param conflicts what else takes place at that time
 */
public record Invitation(JsonTree event, JsonTree message, List<JsonTree> conflicts) {
    public Invitation {
        conflicts = List.copyOf(conflicts);
    }

    /** Whether a later mail changed the event. */
    public boolean isOld() {
        return event.text("source").equals("email")
                && event.has("origin_message_id")
                && !event.text("origin_message_id").equals(message.text("message_id"));
    }

    /** The id of its calendar file; empty when the mail has none. */
    public String file() {
        return message.list("attachments").stream()
                .filter(file -> file.text("content_type").startsWith("text/calendar")
                        || file.text("content_type").startsWith("application/ics"))
                .map(file -> file.text("attachment_id"))
                .findFirst()
                .orElse("");
    }

    /** What it is, in words. */
    public String words() {
        if (event.text("status").equals("cancelled")) {
            return "Cancelled";
        }
        if (event.text("source").equals("api")) {
            return message.texts("labels").contains("sent") ? "Your invitation" : "Answer to your invitation";
        }
        return event.number("sequence") > 0 ? "Updated invitation" : "Invitation";
    }
}
