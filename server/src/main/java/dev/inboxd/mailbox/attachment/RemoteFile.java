package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.OutgoingAttachment;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * An attachment that a request gives by URL (mail.md §4.5). It is a placeholder without name and type until
 * {@link AttachmentFetcher} puts the bytes in its place; it cannot be read itself.
 *
 * @param url http or https, in the form in which it is asked for; not yet checked against addresses that must not be
 *     fetched
 * @param position index in the request's attachments, for error messages and default names
 * @param filename from the request, cleaned; null to take the name from the URL
 * @param mediaType from the request; null to take the type from the answer
 */
public record RemoteFile(
        String url,
        int position,
        @Nullable String filename,
        @Nullable String mediaType) implements AttachmentContent {
    /** The octets of an attachment that are there by now: none of one that is not fetched. */
    public static long length(OutgoingAttachment file) {
        return file.content() instanceof RemoteFile ? 0 : file.content().length();
    }

    @Override
    public long length() {
        throw new IllegalStateException("not fetched yet");
    }

    @Override
    public InputStream open() {
        throw new IllegalStateException("not fetched yet");
    }
}
