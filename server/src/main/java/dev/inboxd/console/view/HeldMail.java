package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mail.screen.HiddenText;
import java.util.List;

/**
 * Mail that is held from the agent, with what somebody needs to decide about it.
 *
 * @param message as the API gives it
 * @param voucher who vouches for its sender, in words
 * @param hidden what a machine reads of it and a person does not see
 * @param links where the links of its formatted text lead
 */
public record HeldMail(JsonTree message, String voucher, HiddenText hidden, List<String> links) {
    private static final int SHOWN = 10_000;

    public HeldMail {
        links = List.copyOf(links);
    }

    /** The beginning of its text. */
    public String text() {
        String text = message.text("text");
        return text.isEmpty() ? "(no text)" : text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    /** Whether it waits still. */
    public boolean isHeld() {
        return message.texts("labels").contains("held");
    }

    /** Whether somebody vouches for its sender. */
    public boolean isVouched() {
        return !voucher.startsWith("Unverified");
    }
}
