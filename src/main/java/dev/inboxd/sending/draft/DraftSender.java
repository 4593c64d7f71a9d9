package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.sending.CommitHook;
import dev.inboxd.sending.MailSender;
import dev.inboxd.sending.OutgoingMessage;
import dev.inboxd.sending.SendCommand;
import dev.inboxd.sending.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
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
    record PreparedDraft(SendCommand command, Drafts.DraftWithFiles found, DraftDeletionHook removal) {
        /** The command with hooks before its own. */
        SendCommand after(List<CommitHook> first) {
            List<CommitHook> all = new ArrayList<>(first);
            all.addAll(command.hooks());
            return new SendCommand(command.view(), command.sender(), command.message(), all);
        }
    }

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
        View inbox = new View(view.organization(), null, found.draft().place().inbox(), view.hidden(), null);
        DraftDeletionHook removal = new DraftDeletionHook(found, claim);
        OutgoingMessage message = messages.of(inbox, found, change);
        return new PreparedDraft(new SendCommand(inbox, null, message, List.of(removal)), found, removal);
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

    private void free(PreparedDraft prepared) {
        if (prepared.removal().isDone()) {
            files.free(
                    prepared.command().view().organization(), prepared.found().files());
        }
    }
}
