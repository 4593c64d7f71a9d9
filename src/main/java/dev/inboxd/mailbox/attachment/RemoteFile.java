package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.AttachmentContent;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content of an attachment that a request gives by URL (mail.md §4.5). It stands in an attachment
 * without a name and a type until {@link AttachmentFetcher} puts the bytes there; it cannot be read itself.
 *
 * @param url http or https, which may still lead where nobody may go
 * @param position among the attachments of its request, for refusals and names
 * @param filename as the caller wants it, cleaned; null to take it from the URL
 * @param mediaType as the caller wants it; null to take it from the answer
 */
public record RemoteFile(
        String url,
        int position,
        @Nullable String filename,
        @Nullable String mediaType) implements AttachmentContent {
    @Override
    public long length() {
        throw new IllegalStateException("not fetched yet");
    }

    @Override
    public InputStream open() {
        throw new IllegalStateException("not fetched yet");
    }
}
