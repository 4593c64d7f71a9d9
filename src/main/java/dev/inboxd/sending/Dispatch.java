package dev.inboxd.sending;

import dev.inboxd.mailbox.message.Content;
import dev.inboxd.mailbox.message.LargeMessages;
import dev.inboxd.mailbox.message.Shown;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.JointWrites;
import dev.inboxd.platform.database.Kept;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Code;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.queue.Submissions;
import dev.inboxd.tenant.inbox.Inbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The commit of a message that leaves: its record, its place in the queue, and what happens with it (P2, P5). Messages
 * that leave at about the same time share one, of any organizations; each is answered for itself, after the commit.
 */
final class Dispatch {
    /** How long a message waits to be written; as long as anything may that changes a busy organization. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Database database;
    private final LargeMessages blobs;
    private final Submissions submissions;
    private final StorageQuota room;
    private final JointWrites<Posting> writes;

    Dispatch(Sending.Parts parts) {
        this.database = parts.database();
        this.blobs = parts.blobs();
        this.submissions = parts.submissions();
        this.room = parts.room();
        this.writes = JointWrites.whole(
                database,
                new Work(new PostingBatch.Means(
                        parts.submissions(),
                        parts.log(),
                        parts.links(),
                        parts.quota(),
                        parts.room(),
                        parts.breaker(),
                        parts.recent())));
    }

    /** Refuses what a paused inbox would send. */
    static void checkActive(Inbox inbox) {
        if (inbox.isPaused()) {
            throw Problem.of(Code.INBOX_PAUSED, "The inbox is paused");
        }
    }

    /**
     * Stores and queues it; blocks until the commit.
     *
     * @param companion what happens in the same transaction
     * @throws Problem what refused it; nothing of it is kept then
     */
    Sent store(UUID organization, Leaving leaving, Companion companion) {
        try {
            return store(organization, leaving, content(organization, leaving, companion, true), companion);
        } catch (LargeMessages.NoLongerShared deleted) {
            return store(organization, leaving, content(organization, leaving, companion, false), companion);
        }
    }

    private Content content(UUID organization, Leaving leaving, Companion companion, boolean sharing) {
        SignedMail mail = leaving.mail();
        Shown.Stored shown = leaving.look().shown().stored();
        if (mail.length() <= Content.LARGEST_IN_DATABASE) {
            return new Content(mail.bytes(), null, shown.size(), shown, mail.sha256());
        }
        room.require(database, organization, Kept.message(mail.length()).minus(companion.frees()));
        try {
            return blobs.keep(
                    organization, mail::open, mail.length(), new LargeMessages.Kept(shown, mail.sha256()), sharing);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Sent store(UUID organization, Leaving leaving, Content content, Companion companion) {
        byte[] raw = content.raw();
        Posting posting = new Posting(
                organization,
                leaving,
                content,
                companion,
                raw == null
                        ? null
                        : submissions.handover(
                                new Submissions.AtHand(organization, raw, content.sha256()), leaving.envelope()));
        writes.add(organization, posting);
        return posting.await(PATIENCE, () -> writes.withdraw(organization, posting));
    }

    /** What is stored together, and who is told. */
    private final class Work implements JointWrites.Work<Posting> {
        private final PostingBatch.Means means;

        private Work(PostingBatch.Means means) {
            this.means = means;
        }

        @Override
        public Database.Planned planned(UUID organization, List<Posting> postings) {
            return new Database.Planned(
                    organization,
                    PostingBatch.claim(postings),
                    tx -> new PostingBatch(tx, View.of(organization), means, postings));
        }

        @Override
        public void written(UUID organization, List<Posting> postings) {
            List<Posting> again = new ArrayList<>();
            for (Posting posting : postings) {
                if (posting.isDecided()) {
                    posting.settle();
                } else if (posting.isLate()) {
                    posting.failLate();
                } else {
                    again.add(posting);
                }
            }
            writes.giveBack(organization, again); // first: it was asked before what waits
        }

        @Override
        public void failed(UUID organization, List<Posting> postings, Throwable failure) {
            postings.forEach(posting -> posting.fail(failure));
        }
    }
}
