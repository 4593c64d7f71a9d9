package dev.inboxd.inbound;

import dev.inboxd.mail.message.AutoResponse;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mailbox.label.Labels;
import java.util.ArrayList;
import java.util.List;

/** Mail that no person wrote, so that agents can leave it unanswered (RFC 3834 §2). */
public final class AutoReplyLabel {
    private final boolean labelling;

    /**
     * Finds mail of machines.
     *
     * @param labelling whether it is labelled; without the label nothing holds an agent that answers machines
     */
    public AutoReplyLabel(boolean labelling) {
        this.labelling = labelling;
    }

    /** The labels, and the one for mail of machines where it is due: notifications have the null reverse-path. */
    List<String> labelled(List<String> labels, String reversePath, ParsedMessage parsed) {
        if (!labelling || (!reversePath.isEmpty() && !AutoResponse.isMarked(parsed.headers()))) {
            return labels;
        }
        List<String> more = new ArrayList<>(labels);
        more.add(Labels.AUTO_REPLY);
        return more;
    }
}
