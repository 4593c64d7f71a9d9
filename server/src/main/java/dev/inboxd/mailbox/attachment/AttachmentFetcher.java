package dev.inboxd.mailbox.attachment;

import dev.inboxd.base.database.OuterTransaction;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Downloads the attachments that a request gives by URL into files, before the message is composed or stored (mail.md
 * §9.1, promises.md A23). Blocks for up to 20 seconds; never called inside a transaction.
 */
public final class AttachmentFetcher {
    private static final Logger LOG = LoggerFactory.getLogger(AttachmentFetcher.class);
    private static final String SUFFIX = ".fetched";

    private final SafeHttp http;
    private final HostLimiter hosts;
    private final Path folder;

    /**
     * Downloads over that client.
     *
     * @param hosts limits the downloads from one host at a time
     * @param folder used by this process alone; it is created when missing, and files that a crash left in it are
     *     removed
     */
    public AttachmentFetcher(SafeHttp http, HostLimiter hosts, Path folder) {
        this.http = http;
        this.hosts = hosts;
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
     * The attachments of a request, those given by URL with their bytes, names and media types. The caller closes the
     * result when the message is composed and stored.
     *
     * @param attachments as read from the request; content other than {@link RemoteFile} stays as it is
     * @throws Problem {@code message_rejected} naming the first attachment that cannot be fetched,
     *     {@code unprocessable} when the downloads are larger than 30 MiB together, {@code service_unavailable} when
     *     the disk is full or the host is busy with other downloads of this server
     * @throws FilesWantedException in an outer transaction, which waits for no other host
     */
    public AttachmentFiles fetch(UUID organization, List<OutgoingAttachment> attachments) {
        if (OuterTransaction.isOpen()) {
            AttachmentFiles keptFiles = KeptFiles.in(attachments);
            if (keptFiles == null) {
                throw new FilesWantedException(attachments);
            }
            return keptFiles;
        }
        AttachmentFiles files = new AttachmentFiles();
        Download download = new Download(http, hosts, organization);
        try {
            for (OutgoingAttachment attachment : attachments) {
                files.add(
                        attachment.content() instanceof RemoteFile remote
                                ? fetched(attachment, remote, download, files)
                                : attachment);
            }
            return files;
        } catch (RuntimeException refusal) {
            files.close();
            throw refusal;
        }
    }

    /** The host that a file is fetched from, and nothing else of its URL; empty for one that is never asked for. */
    public String host(RemoteFile file) {
        return http.checkDownload(file.url()) instanceof TargetCheck.Valid valid
                ? valid.target().host().text()
                : "";
    }

    private OutgoingAttachment fetched(
            OutgoingAttachment attachment, RemoteFile remote, Download download, AttachmentFiles files) {
        Path file = newFile();
        files.owns(file);
        Download.DownloadedFile fetched = download.fetch(remote.position(), remote.url(), file);
        FileContent content = new FileContent(file, fetched.size());
        String usual = Objects.requireNonNullElse(fetched.filename(), "attachment-" + (remote.position() + 1));
        String name = Objects.requireNonNullElse(remote.filename(), usual);
        return new OutgoingAttachment(
                name,
                MediaTypes.sent(remote.mediaType(), fetched.mediaType(), name, content),
                attachment.inline(),
                attachment.contentId(),
                content);
    }

    private Path newFile() {
        try {
            return Files.createTempFile(folder, "", SUFFIX); // created with mode 0600
        } catch (IOException full) {
            throw noRoom(full);
        }
    }

    /** A full disk is no fault of the request, and passes (promise P15). */
    static Problem noRoom(IOException full) {
        LOG.warn("attachment download not stored, client is asked to retry: cause={}", full.toString());
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "There is no room for attachments now")
                .retryAfter(Duration.ofSeconds(5));
    }
}
