package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.OutgoingAttachment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Files by URL that were fetched for a request before it runs, or runs again. */
public final class KeptFiles {
    private static final ScopedValue<List<KeptFile>> CURRENT = ScopedValue.newInstance();

    private KeptFiles() {}

    /**
     * A file.
     *
     * @param position its index in the attachments of the request
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record KeptFile(int position, String filename, String mediaType, byte[] content) {}

    /** Runs a request whose files are these. */
    public static <T> T with(List<KeptFile> files, Supplier<T> request) {
        return ScopedValue.where(CURRENT, List.copyOf(files)).call(request::get);
    }

    /** What was fetched of some attachments. */
    public static List<KeptFile> of(List<OutgoingAttachment> attachments, AttachmentFiles fetched) {
        List<KeptFile> keptFiles = new ArrayList<>();
        for (int i = 0; i < attachments.size(); i++) {
            OutgoingAttachment file = fetched.attachments().get(i);
            if (attachments.get(i).content() instanceof RemoteFile remote) {
                try (InputStream in = file.content().open()) {
                    keptFiles.add(new KeptFile(
                            remote.position(),
                            Objects.requireNonNullElse(file.filename(), ""),
                            file.mediaType(),
                            in.readAllBytes()));
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            }
        }
        return keptFiles;
    }

    /** The attachments with the files that are kept; null when one is missing. */
    static @Nullable AttachmentFiles in(List<OutgoingAttachment> attachments) {
        List<KeptFile> keptFiles = CURRENT.isBound() ? CURRENT.get() : List.of();
        AttachmentFiles files = new AttachmentFiles();
        for (OutgoingAttachment attachment : attachments) {
            if (attachment.content() instanceof RemoteFile remote) {
                KeptFile file = keptFiles.stream()
                        .filter(keptFile -> keptFile.position() == remote.position())
                        .findFirst()
                        .orElse(null);
                if (file == null) {
                    return null;
                }
                files.add(new OutgoingAttachment(
                        file.filename(),
                        file.mediaType(),
                        attachment.inline(),
                        attachment.contentId(),
                        AttachmentContent.of(file.content())));
            } else {
                files.add(attachment);
            }
        }
        return files;
    }
}
