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

/** Lets drafts become messages: the same letter, the same way for callers and for the schedule. */
final class DraftSender {
    private final Drafts drafts;
    private final DraftMessages messages;
    private final DraftFiles files;
    private final MailSender sending;

    DraftSender(Drafts drafts, DraftMessages letters, DraftFiles files, MailSender sending) {
        this.drafts = drafts;
        this.messages = letters;
        this.files = files;
        this.sending = sending;
    }

    /**
     * A draft that is ready to go.
     *
     * @param command sends it and removes it
     */
    record PreparedDraft(MailSender.SendCommand command, Drafts.DraftWithFiles found, DraftDeletionHook removal) {}

    /**
     * Makes a draft's letter.
     *
     * @param view what its sender may see
     * @param change of the labels that its message carries
     * @param claim the attempt of its schedule that sends it, or null for a caller
     * @throws Problem {@code not_found}, {@code conflict} when somebody else sends it
     */
    PreparedDraft prepared(View view, UUID id, LabelChange change, @Nullable UUID claim) {
        Drafts.DraftWithFiles found = drafts.get(view, id);
        if (claim == null && found.draft().isSending()) {
            throw Drafts.beingSent();
        }
        View inbox = View.of(view.organization()).inbox(found.draft().place().inbox());
        DraftDeletionHook removal = new DraftDeletionHook(found, claim);
        return new PreparedDraft(
                new MailSender.SendCommand(inbox, null, messages.of(inbox, found, change), removal), found, removal);
    }

    /** Sends a draft for its schedule. */
    SendResult send(View view, UUID id, LabelChange change, UUID claim) {
        List<PreparedDraft> ready = new ArrayList<>();
        SendResult sent = sending.send(() -> {
            ready.add(prepared(view, id, change, claim));
            return ready.getLast().command();
        });
        ready.forEach(this::free);
        return sent;
    }

    /** After the send: what lies outside the database of a draft that is gone. */
    void free(PreparedDraft prepared) {
        if (prepared.removal().isDone()) {
            files.free(
                    prepared.command().view().organization(), prepared.found().files());
        }
    }
}
