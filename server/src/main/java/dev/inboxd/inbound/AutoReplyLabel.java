package dev.inboxd.inbound;

import dev.inboxd.mail.message.AutoResponse;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mailbox.label.Labels;
import java.util.ArrayList;
import java.util.List;

/** Labels automatic mail, so that agents can leave it unanswered (RFC 3834 §2). */
public final class AutoReplyLabel {
    private final boolean enabled;

    /**
     * A labeller.
     *
     * @param enabled whether automatic mail is labelled; without the label nothing stops an agent from answering
     *     machines
     */
    public AutoReplyLabel(boolean enabled) {
        this.enabled = enabled;
    }

    /**
     * The labels, with the label for automatic mail added when the message is automatic. Notifications have the null
     * reverse-path.
     */
    List<String> addTo(List<String> labels, String reversePath, ParsedMessage parsed) {
        if (!enabled || (!reversePath.isEmpty() && !AutoResponse.isMarked(parsed.headers()))) {
            return labels;
        }
        List<String> more = new ArrayList<>(labels);
        more.add(Labels.AUTO_REPLY);
        return more;
    }
}
