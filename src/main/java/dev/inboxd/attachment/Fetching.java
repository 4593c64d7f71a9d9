package dev.inboxd.attachment;

import dev.inboxd.error.Problem;
import dev.inboxd.mail.compose.Attachment;
import dev.inboxd.mail.message.FileNames;
import dev.inboxd.net.SafeHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the attachments of a request ready to be composed or stored: those given by URL are fetched into files
 * (contract: mail.md §9.1, promises.md A23). Blocking, for up to 20 seconds; never inside a transaction.
 */
public final class Fetching {
    private static final String SUFFIX = ".fetched";

    private final SafeHttp http;
    private final Path folder;

    /**
     * Fetches over that client.
     *
     * @param folder of this process alone, made if need be; what a crash left in it is removed
     */
    public Fetching(SafeHttp http, Path folder) {
        this.http = http;
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            try (DirectoryStream<Path> stale = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
                for (Path file : stale) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    /**
     * The attachments with their bytes, names and media types. The caller closes the result when they are composed and
     * stored.
     *
     * @throws Problem {@code message_rejected} naming the first that cannot be fetched, {@code unprocessable} when they
     *     are more than 30 MiB together
     */
    public AttachmentFiles fetch(List<GivenAttachment> given) {
        AttachmentFiles files = new AttachmentFiles();
        Download download = new Download(http);
        try {
            for (int i = 0; i < given.size(); i++) {
                GivenAttachment each = given.get(i);
                String usual = "attachment-" + (i + 1);
                files.add(switch (each.source()) {
                    case GivenAttachment.Source.Held held -> {
                        String name = Objects.requireNonNullElse(each.filename(), usual);
                        yield new Attachment(name, MediaTypes.sent(each.mediaType(), null, name, held.content()),
                                each.inline(), each.contentId(), held.content());
                    }
                    case GivenAttachment.Source.Remote remote -> {
                        Path file = newFile();
                        files.owns(file);
                        Download.Fetched fetched = download.fetch(i, remote.url(), file);
                        String name = Objects.requireNonNullElse(name(each, fetched), usual);
                        FileContent content = new FileContent(file, fetched.size());
                        yield new Attachment(name,
                                MediaTypes.sent(each.mediaType(), fetched.mediaType(), name, content), each.inline(),
                                each.contentId(), content);
                    }
                });
            }
            return files;
        } catch (RuntimeException refusal) {
            files.close();
            throw refusal;
        }
    }

    private static @Nullable String name(GivenAttachment given, Download.Fetched fetched) {
        return given.filename() != null ? given.filename() : FileNames.clean(fetched.lastPathPart());
    }

    private Path newFile() {
        try {
            return Files.createTempFile(folder, "", SUFFIX); // made with mode 0600
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }
}
