package dev.inboxd.sending.draft;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.attachment.RemoteFile;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.sending.ApprovalDesk;
import dev.inboxd.sending.SendOrigin;
import dev.inboxd.sending.WaitingMessage;
import dev.inboxd.sending.answer.DraftTerms;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.compose.SubmittedMessage;
import dev.inboxd.sending.limit.ExemptRecipients;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.review.ReviewNotice;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages that wait for approval as drafts (approvals.md §2). */
final class WaitingDrafts implements ApprovalDesk {
    private final Database database;
    private final DraftFiles files;
    private final StorageQuota quota;
    private final EventLog log;

    WaitingDrafts(Database database, DraftFiles files, StorageQuota quota, EventLog log) {
        this.database = database;
        this.files = files;
        this.quota = quota;
        this.log = log;
    }

    @Override
    public boolean isExempt(UUID organization, UUID inbox, List<String> recipients) {
        View view = View.of(organization).inbox(inbox);
        long distinct = recipients.stream()
                .map(recipient -> recipient.toLowerCase(Locale.ROOT))
                .distinct()
                .count();
        return database.<Integer>read(tx -> ExemptRecipients.count(tx, view, recipients)) == distinct;
    }

    @Override
    public Filing file(WaitingMessage waiting) {
        UUID existing = waiting.sender().origin().draft();
        if (existing != null) {
            return new DraftFiling(existing, null);
        }
        UUID organization = waiting.sender().view().organization();
        UUID id = Uuid7.next();
        List<OutgoingAttachment> attachments = waiting.content().body().attachments();
        long size = attachments.stream().mapToLong(RemoteFile::length).sum();
        quota.require(database, organization, new StoredUsage(0, size));
        return new DraftFiling(id, files.stored(organization, id, attachments));
    }

    /** A draft that begins to wait. */
    private final class DraftFiling implements Filing {
        private final UUID id;
        /** Null for a draft that was there before, and keeps its files. */
        private final @Nullable List<DraftFileSql.NewFile> attached;

        DraftFiling(UUID id, @Nullable List<DraftFileSql.NewFile> attached) {
            this.id = id;
            this.attached = attached;
        }

        @Override
        public UUID draft() {
            return id;
        }

        @Override
        public boolean isPromised(Tx tx, WaitingMessage waiting) {
            View inbox = View.of(waiting.sender().view().organization())
                    .inbox(waiting.sender().inbox().id());
            return DraftApprovalSql.isPromised(tx, inbox, waiting.reserved().name(), id);
        }

        @Override
        public void write(Tx tx, WaitingMessage waiting) {
            WaitingMessage.Sender sender = waiting.sender();
            View all = View.of(sender.view().organization());
            Instant now = tx.next().at();
            RoundTrip trip = tx.roundTrip();
            if (attached != null) {
                Draft draft = draft(waiting, now);
                DraftSql.appendInsert(trip, all, draft);
                DraftApprovalSql.appendAuthor(trip, all, draft);
                draft.appendTerms(trip, all, DraftTerms.NONE);
                DraftFileSql.appendInsert(trip, all, sender.inbox().id(), attached);
            }
            Draft.Approval approval = new Draft.Approval(
                    false,
                    null,
                    sender.origin().key(),
                    now,
                    waiting.reserved(),
                    attached == null ? null : specifics(waiting));
            List<String> labels = List.copyOf(waiting.content().options().labels());
            DraftApprovalSql.appendWaiting(trip, all, new DraftApprovalSql.WaitingDraft(id, labels, approval));
            EventLog.EventBatch events = log.appending(tx, all);
            DraftApprovalEvents.add(
                    events,
                    EventType.DRAFT_APPROVAL_REQUESTED,
                    new DraftApprovalEvents.DraftPlace(id, place(sender.inbox()), waiting.reserved()),
                    null);
            events.appendTo(trip);
            ReviewNotice.appendTo(trip, all);
            trip.run();
            if (attached != null && !quota.isNone()) {
                quota.require(tx.usage(), StorageQuota.usage(tx, all.organization()));
            }
        }

        private Draft draft(WaitingMessage waiting, Instant now) {
            OutgoingMessage content = waiting.content();
            SendOrigin origin = waiting.sender().origin();
            OutgoingMessage.Recipients recipients = content.recipients();
            List<String> inReplyTo = content.references().inReplyTo();
            return new Draft(
                    id,
                    place(waiting.sender().inbox()),
                    null,
                    List.copyOf(content.options().labels()),
                    new Draft.People(
                            DraftChange.texts(recipients.to()),
                            DraftChange.texts(recipients.cc()),
                            DraftChange.texts(recipients.bcc()),
                            DraftChange.texts(recipients.replyTo())),
                    Draft.Text.of(
                            content.subject(),
                            content.body().text(),
                            content.body().html()),
                    new Draft.Origin(
                            inReplyTo.isEmpty() ? null : inReplyTo.getFirst(),
                            null,
                            content.references().references(),
                            DraftTerms.waiting(origin.terms())),
                    Draft.Schedule.NONE,
                    Draft.Author.of(origin),
                    null,
                    now,
                    now);
        }
    }

    private static Draft.Place place(Inbox inbox) {
        return new Draft.Place(inbox.id(), inbox.address(), inbox.pod());
    }

    private static DraftSpecifics specifics(WaitingMessage waiting) {
        OutgoingMessage content = waiting.content();
        SubmittedMessage submitted = waiting.submitted();
        return new DraftSpecifics(
                content.options().headers(),
                content.options().trackOpens(),
                content.references().inReplyTo(),
                content.body().calendar(),
                waiting.sender().isCharged(),
                waiting.sender().origin().terms().kind() == AnswerTerms.Kind.ANSWER,
                submitted == null
                        ? null
                        : new DraftSpecifics.Submission(
                                submitted.recipients(),
                                submitted.dsn(),
                                new String(submitted.trace(), StandardCharsets.ISO_8859_1)));
    }
}
