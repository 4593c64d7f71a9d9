package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.OutgoingAttachment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The attachments of one message, downloads included. Closing deletes the downloaded files: close after storing. */
public final class AttachmentFiles implements AutoCloseable {
    private final List<OutgoingAttachment> attachments = new ArrayList<>();
    private final List<Path> fetched = new ArrayList<>();

    AttachmentFiles() {}

    /** The attachments of a request as they were given: nothing is fetched. */
    public static AttachmentFiles unfetched(List<OutgoingAttachment> requested) {
        AttachmentFiles files = new AttachmentFiles();
        requested.forEach(files::add);
        return files;
    }

    void add(OutgoingAttachment attachment) {
        attachments.add(attachment);
    }

    void owns(Path file) {
        fetched.add(file);
    }

    /** The attachments in the order of the request; readable until {@link #close}. */
    public List<OutgoingAttachment> attachments() {
        return List.copyOf(attachments);
    }

    /** Those with their bytes, which a composer can write. */
    public List<OutgoingAttachment> readable() {
        return attachments.stream()
                .filter(attachment -> !(attachment.content() instanceof RemoteFile))
                .toList();
    }

    /** Never fails: the next start deletes files that are left. */
    @Override
    public void close() {
        fetched.forEach(file -> file.toFile().delete());
    }
}
