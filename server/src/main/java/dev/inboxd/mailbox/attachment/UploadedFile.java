package dev.inboxd.mailbox.attachment;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.errand.Errands;
import dev.inboxd.mail.compose.AttachmentContent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.UUID;

/** A large file of a request on its way into the blob store, where it lies before a row names it. */
public final class UploadedFile {
    private UploadedFile() {}

    /**
     * Stores a file. In a trial none is stored, as its row is taken back.
     *
     * @param position its index in the request
     */
    public static BlobKey put(Blobs blobs, UUID organization, AttachmentContent file, int position) {
        return Errands.isTrial()
                ? BlobKey.random(organization)
                : Errands.of("file " + position, () -> put(blobs, organization, file));
    }

    private static BlobKey put(Blobs blobs, UUID organization, AttachmentContent file) {
        BlobKey key = BlobKey.random(organization);
        try (InputStream content = file.open()) {
            blobs.put(key, content, file.length());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return key;
    }
}
