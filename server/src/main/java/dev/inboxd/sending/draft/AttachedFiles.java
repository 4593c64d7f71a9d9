package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.attachment.AttachmentFiles;
import dev.inboxd.mailbox.attachment.RemoteFile;
import dev.inboxd.sending.compose.OriginalMessage;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes in the files that drafts are given. One given by URL is fetched when the draft stores it (mail.md §8.4), or,
 * where its mail needs approval, when the draft leaves: what an address says leaves with the request (ruling 163).
 */
final class AttachedFiles {
    private final Database database;
    private final DraftFiles bytes;
    private final AttachmentFetcher fetcher;
    private final StorageQuota quota;

    /**
     * What drafts are made from.
     *
     * @param fetching fetches files by URL
     * @param originals finds what a draft answers or forwards
     * @param quota how much an organization may keep
     */
    record Sources(AttachmentFetcher fetching, OriginalMessage.Finder originals, StorageQuota quota) {}

    AttachedFiles(Database database, DraftFiles bytes, Sources sources) {
        this.database = database;
        this.bytes = bytes;
        this.fetcher = sources.fetching();
        this.quota = sources.quota();
    }

    /**
     * Whose files they are.
     *
     * @param inbox the inbox of the draft
     * @param draft the draft as it was before; null for one that is made
     */
    record Owner(
            Caller caller, UUID inbox, UUID id, @Nullable Draft draft) {}

    /**
     * Stores files, before a transaction.
     *
     * @param less bytes that the same change frees
     * @throws Problem {@code inbox_paused} for a URL while everything that leaves is stopped, {@code message_rejected},
     *     {@code unprocessable}, {@code limit_exceeded}
     */
    List<DraftFileSql.NewFile> stored(Owner owner, List<OutgoingAttachment> attachments, long less) {
        UUID organization = owner.caller.organization();
        try (AttachmentFiles files = waits(owner, attachments)
                ? AttachmentFiles.unfetched(attachments)
                : fetcher.fetch(organization, attachments)) {
            long size =
                    files.attachments().stream().mapToLong(RemoteFile::length).sum();
            DraftFiles.checkBytes(size);
            quota.require(database, organization, new StoredUsage(0, size - less));
            return bytes.stored(organization, owner.id, files.attachments());
        }
    }

    /** Whether files by URL are fetched when the draft leaves. */
    private boolean waits(Owner owner, List<OutgoingAttachment> attachments) {
        if (attachments.stream().noneMatch(attachment -> attachment.content() instanceof RemoteFile)) {
            return false;
        }
        View all = View.of(owner.caller.organization());
        Inbox.Sending sending = database.read(tx -> Inboxes.find(tx, all, owner.inbox))
                .orElseThrow(() -> Problem.notFound("Inbox"))
                .sending();
        if (sending.stoppedAt() != null) {
            throw Problem.of(
                    ErrorCode.INBOX_PAUSED,
                    "Sending is stopped, and nothing is fetched",
                    "Give the content of the file instead of its url.");
        }
        Draft draft = owner.draft;
        return owner.caller.needsApproval()
                || sending.needsApproval()
                || (draft != null
                        && (draft.isWaiting()
                                || draft.author().needsApproval()
                                || draft.author().keys().needApproval(database, all.organization())));
    }
}
