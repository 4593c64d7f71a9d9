package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.OutgoingAttachment;
import java.util.List;

/** A request needs files that are given by URL, and nobody may wait for them where it runs. */
public final class FilesWantedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<OutgoingAttachment> attachments;

    FilesWantedException(List<OutgoingAttachment> attachments) {
        super("files by URL are wanted", null, false, false);
        this.attachments = List.copyOf(attachments);
    }

    /** The attachments of the request, those by URL among them. */
    public List<OutgoingAttachment> attachments() {
        return attachments;
    }
}
