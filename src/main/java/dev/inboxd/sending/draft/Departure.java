package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.sending.Sending;
import dev.inboxd.sending.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lets drafts become messages: the same letter, the same way for callers and for the schedule. */
final class Departure {
    private final Drafts drafts;
    private final Letters letters;
    private final DraftFiles files;
    private final Sending sending;

    Departure(Drafts drafts, Letters letters, DraftFiles files, Sending sending) {
        this.drafts = drafts;
        this.letters = letters;
        this.files = files;
        this.sending = sending;
    }

    /**
     * A draft that is ready to go.
     *
     * @param order sends it and removes it
     */
    record Prepared(Sending.Order order, Drafts.Found found, Removal removal) {}

    /**
     * Makes a draft's letter.
     *
     * @param view what its sender may see
     * @param change of the labels that its message carries
     * @param claim the attempt of its schedule that sends it, or null for a caller
     * @throws Problem {@code not_found}, {@code conflict} when somebody else sends it
     */
    Prepared prepared(View view, UUID id, LabelChange change, @Nullable UUID claim) {
        Drafts.Found found = drafts.get(view, id);
        if (claim == null && found.draft().isSending()) {
            throw Drafts.beingSent();
        }
        View inbox = View.of(view.organization()).inbox(found.draft().place().inbox());
        Removal removal = new Removal(found, claim);
        return new Prepared(new Sending.Order(inbox, null, letters.of(inbox, found, change), removal), found, removal);
    }

    /** Sends a draft for its schedule. */
    Sent send(View view, UUID id, LabelChange change, UUID claim) {
        List<Prepared> ready = new ArrayList<>();
        Sent sent = sending.send(() -> {
            ready.add(prepared(view, id, change, claim));
            return ready.getLast().order();
        });
        ready.forEach(this::free);
        return sent;
    }

    /** After the send: what lies outside the database of a draft that is gone. */
    void free(Prepared prepared) {
        if (prepared.removal().isDone()) {
            files.free(prepared.order().view().organization(), prepared.found().files());
        }
    }
}
