package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.OutgoingAttachment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The attachments of one message with their bytes at hand. Closing removes what was fetched, so close it when stored.
 */
public final class AttachmentFiles implements AutoCloseable {
    private final List<OutgoingAttachment> attachments = new ArrayList<>();
    private final List<Path> fetched = new ArrayList<>();

    AttachmentFiles() {}

    void add(OutgoingAttachment attachment) {
        attachments.add(attachment);
    }

    void owns(Path file) {
        fetched.add(file);
    }

    /** What is to be composed or stored, in the order of the request; readable until {@link #close}. */
    public List<OutgoingAttachment> attachments() {
        return List.copyOf(attachments);
    }

    /** Never fails: the next start removes what stayed. */
    @Override
    public void close() {
        fetched.forEach(file -> file.toFile().delete());
    }
}
