package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mail.screen.HiddenText;
import java.util.List;

/**
 * What a page says of a draft that waits for somebody's approval.
 *
 * @param draft as the API has it
 * @param answered the message that it answers or passes on; empty for none, or one that is gone
 * @param recipients everybody who would get it, and its answers
 * @param people who wrote it, and who asked to send it
 * @param formatted what its HTML says
 */
public record DraftFacts(
        JsonTree draft, JsonTree answered, List<Recipient> recipients, People people, Formatted formatted) {
    /** The role of an address that gets the answers. */
    public static final String ANSWERED = "replies go to";

    public DraftFacts {
        recipients = List.copyOf(recipients);
    }

    /**
     * Somebody who would get it.
     *
     * @param role {@code to}, {@code cc}, {@code bcc} or {@link #ANSWERED}
     * @param mailbox as the draft has it
     * @param isKnown whether that address is part of the conversation that the draft answers
     * @param isNew whether the inbox never wrote to that address before, as far as that was looked up
     */
    public record Recipient(String role, String mailbox, boolean isKnown, boolean isNew) {}

    /**
     * API keys by their ids and names; empty for people.
     *
     * @param author the id of the key that wrote it
     * @param authorName its name
     * @param asker the id of the key that asked to send it
     * @param askerName its name
     */
    public record People(String author, String authorName, String asker, String askerName) {}

    /**
     * The HTML of the draft.
     *
     * @param text the words that a person sees
     * @param links where its links lead
     * @param hidden what a person does not see of the whole draft
     */
    public record Formatted(String text, List<String> links, HiddenText hidden) {
        public Formatted {
            links = List.copyOf(links);
        }
    }

    /** Those who would get it: where answers go is shown beside them, and gets nothing. */
    public List<Recipient> receivers() {
        return recipients.stream()
                .filter(recipient -> !recipient.role().equals(ANSWERED))
                .toList();
    }

    /** Whether it answers or passes on a message. */
    public boolean isAnswer() {
        return draft.has("in_reply_to") || draft.has("forward_of");
    }

    /** Whether a program submitted it as a whole message, which leaves as it came. */
    public boolean isSubmitted() {
        return !draft.has("text")
                && !draft.has("html")
                && draft.list("attachments").stream()
                        .anyMatch(file -> file.text("content_type").equals("message/rfc822")
                                && file.text("filename").equals("message.eml"));
    }

    /** The addresses of a role, as a form has them. */
    public String all(String role) {
        return String.join(", ", draft.texts(role));
    }
}
