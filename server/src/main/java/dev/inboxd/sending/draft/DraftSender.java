package dev.inboxd.sending.draft;

import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.sending.MailSender;
import dev.inboxd.sending.SendCommand;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.compose.SubmittedMessage;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

/** Sends drafts, in the same way for callers and for the scheduler. */
final class DraftSender {
    private final Drafts drafts;
    private final DraftMessages messages;
    private final DraftFiles files;
    private final MailSender sender;

    DraftSender(Drafts drafts, DraftMessages messages, DraftFiles files, MailSender sender) {
        this.drafts = drafts;
        this.messages = messages;
        this.files = files;
        this.sender = sender;
    }

    /**
     * A draft that is ready to be sent.
     *
     * @param command sends the message and deletes the draft
     */
    record PreparedDraft(SendCommand command, DraftReads.DraftWithFiles stored, DraftDeletionHook removal) {
        /** The command with hooks before its own. */
        SendCommand after(List<CommitHook> first) {
            List<CommitHook> all = new ArrayList<>(first);
            all.addAll(command.hooks());
            return new SendCommand(
                    command.view(), command.sender(), command.message(), all, command.charged(), command.origin());
        }
    }

    /**
     * Builds the message of a draft.
     *
     * @param view the view of the sender
     * @param change a change of the labels that the message carries
     * @param turn who sends it
     * @throws Problem {@code not_found}, {@code conflict} when the draft is already being sent, or waits for approval
     */
    PreparedDraft prepared(View view, UUID id, LabelChange change, SendTurn turn) {
        DraftReads.DraftWithFiles draftWithFiles = drafts.get(view, id);
        Draft draft = draftWithFiles.draft();
        if (turn.claim() == null && draft.isSending()) {
            throw DraftReads.beingSent();
        }
        if (!turn.isApproval() && (draft.isWaiting() || draft.isSubmitted())) {
            throw draft.isWaiting() ? DraftReads.waiting(draft) : DraftReads.submitted();
        }
        View inbox = new View(view.organization(), null, draft.place().inbox(), view.hidden(), null);
        DraftDeletionHook removal = new DraftDeletionHook(draftWithFiles, turn);
        OutgoingMessage message = messages.of(inbox, draftWithFiles, change);
        Draft.Approval approval = draft.approval();
        DraftSpecifics specifics = draft.specifics();
        UUID charged = approval != null && specifics != null && specifics.isCharged()
                ? approval.reserved().id()
                : null;
        SendCommand command = new SendCommand(
                inbox, null, message, List.of(removal), charged, turn.origin(view.organization(), draft));
        return new PreparedDraft(command, draftWithFiles, removal);
    }

    /**
     * Sends a draft, and deletes its blobs.
     *
     * @param draft reads the draft, as {@link #prepared}
     * @param hooks further work in the same transaction, before the deletion of the draft
     */
    SendResult send(Supplier<PreparedDraft> draft, List<CommitHook> hooks) {
        List<PreparedDraft> ready = new ArrayList<>();
        SendResult sent = sender.send(() -> {
            ready.add(draft.get());
            return ready.getLast().after(hooks);
        });
        ready.forEach(this::free);
        return sent;
    }

    /**
     * Sends an approved message that was submitted, as it came.
     *
     * @param hook further work in the same transaction
     */
    SendResult submit(View view, DraftReads.DraftWithFiles draftWithFiles, SendTurn turn, CommitHook hook) {
        Draft draft = draftWithFiles.draft();
        DraftSpecifics.Submission submission =
                Objects.requireNonNull(Objects.requireNonNull(draft.specifics()).submission());
        View inbox = new View(view.organization(), null, draft.place().inbox(), view.hidden(), null);
        DraftDeletionHook removal = new DraftDeletionHook(draftWithFiles, turn);
        SubmittedMessage message = new SubmittedMessage(
                submission.recipients(),
                submission.dsn(),
                submission.trace().getBytes(StandardCharsets.ISO_8859_1),
                files.attachment(view.organization(), draftWithFiles.files().getFirst(), 0)
                        .content());
        SendResult sent =
                sender.submit(inbox, message, turn.origin(view.organization(), draft), List.of(hook, removal));
        if (removal.isDone()) {
            files.free(view.organization(), draftWithFiles.files());
        }
        return sent;
    }

    private void free(PreparedDraft prepared) {
        if (prepared.removal().isDone()) {
            files.free(
                    prepared.command().view().organization(), prepared.stored().files());
        }
    }
}
