package dev.inboxd.sending.draft;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.OuterTransaction;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.FileDownload;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.attachment.RemoteFile;
import dev.inboxd.mailbox.attachment.UploadedFile;
import dev.inboxd.sending.compose.AttachmentMembers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bytes of drafts' attachments: small ones in their rows, large ones in the blob store. */
final class DraftFiles {
    private static final Logger LOG = LoggerFactory.getLogger(DraftFiles.class);
    private static final int LARGEST_IN_DATABASE = 256 * 1024;
    /** Limit of all attachments of a draft together, as of those of a message given by URL (mail.md §9.1). */
    private static final long MOST_BYTES = 30L << 20;
    /** Limit of the URLs of files that a draft has not fetched, in characters: lists show them. */
    private static final int MOST_ADDRESSES = 32 * 1024;

    private final Database database;
    private final Blobs blobs;

    DraftFiles(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    /** Stores attachments for a draft: large ones are in the blob store before their rows exist. */
    List<DraftFileSql.NewFile> stored(UUID organization, UUID draft, List<OutgoingAttachment> attachments) {
        checkAddresses(attachments.stream()
                .map(OutgoingAttachment::content)
                .mapToLong(content ->
                        content instanceof RemoteFile remote ? remote.url().length() : 0)
                .sum());
        return IntStream.range(0, attachments.size())
                .mapToObj(i -> attachments.get(i).content() instanceof RemoteFile remote
                        ? new DraftFileSql.NewFile(unfetched(draft, attachments.get(i), remote), null)
                        : stored(organization, draft, attachments.get(i), i))
                .toList();
    }

    private static DraftFile unfetched(UUID draft, OutgoingAttachment attachment, RemoteFile remote) {
        return new DraftFile(
                Uuid7.next(),
                draft,
                remote.filename(),
                Objects.requireNonNullElse(remote.mediaType(), ""),
                attachment.inline(),
                attachment.contentId(),
                0,
                null,
                remote.url());
    }

    private DraftFileSql.NewFile stored(UUID organization, UUID draft, OutgoingAttachment attachment, int position) {
        if (attachment.content().length() > LARGEST_IN_DATABASE) {
            BlobKey key = UploadedFile.put(blobs, organization, attachment.content(), position);
            return new DraftFileSql.NewFile(file(draft, attachment, key), null);
        }
        try (InputStream content = attachment.content().open()) {
            return new DraftFileSql.NewFile(file(draft, attachment, null), content.readAllBytes());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static DraftFile file(UUID draft, OutgoingAttachment attachment, @Nullable BlobKey key) {
        return new DraftFile(
                Uuid7.next(),
                draft,
                attachment.filename(),
                attachment.mediaType(),
                attachment.inline(),
                attachment.contentId(),
                attachment.content().length(),
                key == null ? null : key.name(),
                null);
    }

    /**
     * An attachment for the composer, which opens the bytes when it writes them. By then they may have been deleted
     * with the draft ({@link BlobException.Kind#MISSING}). One that is not fetched holds a {@link RemoteFile}.
     *
     * @param position its index in the draft
     */
    OutgoingAttachment attachment(UUID organization, DraftFile file, int position) {
        String url = file.url();
        if (url != null) {
            String type = file.mediaType().isEmpty() ? null : file.mediaType();
            return new OutgoingAttachment(
                    file.filename(),
                    file.mediaType(),
                    file.inline(),
                    file.contentId(),
                    new RemoteFile(url, position, file.filename(), type));
        }
        return new OutgoingAttachment(
                file.filename(), file.mediaType(), file.inline(), file.contentId(), new AttachmentContent() {
                    @Override
                    public long length() {
                        return file.size();
                    }

                    @Override
                    public InputStream open() {
                        return source(organization, file)
                                .orElseThrow(() -> BlobException.missing(null))
                                .open(0, file.size());
                    }
                });
    }

    /** The bytes of an attachment; empty when it was deleted with its draft. Never called in a transaction. */
    Optional<FileDownload.Source> source(UUID organization, DraftFile file) {
        String blob = file.blob();
        if (blob != null) {
            BlobKey key = new BlobKey(organization, blob);
            return Optional.of((offset, length) -> blobs.open(key, offset, length));
        }
        return database.read(tx -> DraftFileSql.bytes(tx, View.of(organization), file.id()))
                .map(bytes -> (offset, _) -> new ByteArrayInputStream(bytes, (int) offset, bytes.length));
    }

    /**
     * Deletes blobs after the commit that deleted their rows: a blob left over is swept later, but a blob deleted
     * before the commit could be lost. Never fails, because the committed change must be answered as such (ruling 11).
     */
    void free(UUID organization, Collection<DraftFile> files) {
        for (DraftFile file : files) {
            String blob = file.blob();
            if (blob != null) {
                OuterTransaction.afterCommit(() -> free(new BlobKey(organization, blob)));
            }
        }
    }

    private void free(BlobKey key) {
        try {
            blobs.delete(key);
        } catch (RuntimeException later) {
            LOG.warn("blob of a draft not deleted, left to the sweep blob={}", key.name(), later);
        }
    }

    /**
     * Refuses more attachments than a draft may have.
     *
     * @throws Problem {@code validation_error}, {@code unprocessable}
     */
    static void checkSize(List<DraftFile> files) {
        if (files.size() > AttachmentMembers.MOST) {
            throw Problem.invalid("add_attachments", "A draft has at most " + AttachmentMembers.MOST + " attachments");
        }
        checkBytes(files.stream().mapToLong(DraftFile::size).sum());
        checkAddresses(files.stream()
                .map(DraftFile::url)
                .mapToLong(url -> url == null ? 0 : url.length())
                .sum());
    }

    private static void checkAddresses(long characters) {
        if (characters > MOST_ADDRESSES) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "The URLs of files that are fetched at the approval have at most " + MOST_ADDRESSES
                            + " characters together",
                    "Give the content of some files, or shorter URLs.");
        }
    }

    /**
     * Refuses more octets of attachments than a draft may have.
     *
     * @throws Problem {@code unprocessable}
     */
    static void checkBytes(long bytes) {
        if (bytes > MOST_BYTES) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "The attachments of a draft have at most 30 MiB together",
                    "Remove some of them.");
        }
    }
}
