package dev.inboxd.sending;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.OuterTransaction;
import dev.inboxd.base.database.PendingCommit;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.sending.compose.SignedMessage;
import dev.inboxd.sending.idempotency.SendResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Commits sent messages: the stored message, its submission in the queue, and the work of its hooks (P2, P5). Messages
 * sent at about the same time share a commit, across organizations; each gets its own result after the commit.
 */
final class SendCommits {
    /** How long a message waits for its commit: as long as every change of a busy organization. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Database database;
    private final LargeMessages blobs;
    private final SubmissionQueue submissions;
    private final StorageQuota room;
    private final GroupCommit<PendingSend> writes;

    SendCommits(MailSender.Parts parts) {
        this.database = parts.database();
        this.blobs = parts.blobs();
        this.submissions = parts.submissions();
        this.room = parts.room();
        this.writes = GroupCommit.of(
                database,
                (tx, organization, sends) -> new SendBatch(tx, organization, parts, sends),
                PendingSend::isDecided);
    }

    /**
     * Stores and queues a message; blocks until the commit.
     *
     * @throws Problem why it was rejected; then nothing is stored
     */
    SendResult store(UUID organization, PreparedMessage message) {
        try {
            return store(organization, message, content(organization, message, true));
        } catch (LargeMessages.ChunkGoneException deleted) {
            return store(organization, message, content(organization, message, false));
        }
    }

    private StoredContent content(UUID organization, PreparedMessage message, boolean sharing) {
        SignedMessage mail = message.mail();
        ReadableContent.StoredForm shown =
                message.message().summary().readable().stored();
        if (mail.length() <= StoredContent.LARGEST_IN_DATABASE) {
            return StoredContent.ofRaw(mail.bytes(), mail.sha256(), shown);
        }
        room.require(database, organization, message.growth());
        try {
            LargeMessages.NewContent content =
                    new LargeMessages.NewContent(mail::open, mail.length(), shown, mail.sha256());
            return blobs.store(organization, content, sharing);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private SendResult store(UUID organization, PreparedMessage message, StoredContent content) {
        byte[] raw = content.raw();
        try (SubmissionQueue.@Nullable ImmediateSlot slot = raw == null || OuterTransaction.isOpen()
                ? null
                : submissions.reserve(
                        new SubmissionQueue.LoadedMessage(organization, raw, content.sha256()), message.recipients())) {
            PendingCommit<PendingSend> pending = writes.submit(organization, new PendingSend(message, content, slot));
            // One that was begun is waited for, whatever its transaction takes: that ends with the waits of the
            // database.
            pending.await(PATIENCE);
            return pending.await().result();
        }
    }
}
