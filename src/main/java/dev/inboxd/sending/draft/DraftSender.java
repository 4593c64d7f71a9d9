package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.sending.MailSender;
import dev.inboxd.sending.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
    record PreparedDraft(MailSender.SendCommand command, Drafts.DraftWithFiles found, DraftDeletionHook removal) {}

    /**
     * Builds the message of a draft.
     *
     * @param view the view of the sender
     * @param change a change of the labels that the message carries
     * @param claim the claim of the scheduler's attempt, or null when a caller sends it
     * @throws Problem {@code not_found}, {@code conflict} when the draft is already being sent
     */
    PreparedDraft prepared(View view, UUID id, LabelChange change, @Nullable UUID claim) {
        Drafts.DraftWithFiles found = drafts.get(view, id);
        if (claim == null && found.draft().isSending()) {
            throw DraftReads.beingSent();
        }
        View inbox = View.of(view.organization()).inbox(found.draft().place().inbox());
        DraftDeletionHook removal = new DraftDeletionHook(found, claim);
        return new PreparedDraft(
                new MailSender.SendCommand(inbox, null, messages.of(inbox, found, change), removal), found, removal);
    }

    /** Sends a draft for the scheduler. */
    SendResult send(View view, UUID id, LabelChange change, UUID claim) {
        List<PreparedDraft> ready = new ArrayList<>();
        SendResult sent = sender.send(() -> {
            ready.add(prepared(view, id, change, claim));
            return ready.getLast().command();
        });
        ready.forEach(this::free);
        return sent;
    }

    /** After the send: deletes the blobs of a draft that was deleted. */
    void free(PreparedDraft prepared) {
        if (prepared.removal().isDone()) {
            files.free(
                    prepared.command().view().organization(), prepared.found().files());
        }
    }
}
