package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.message.SentDrafts;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads of drafts, and the errors for what cannot be read or changed. */
final class DraftReads {
    private DraftReads() {}

    /**
     * A draft that may be changed.
     *
     * @throws Problem {@code not_found}, {@code conflict} while it is being sent
     */
    static Draft changeable(Tx tx, View view, UUID id) {
        Draft draft = DraftSql.find(tx, view, id).orElseThrow(() -> missing(tx, view, id));
        if (draft.isSending()) {
            throw beingSent();
        }
        return draft;
    }

    /** A draft that was sent is a message now, and the error says which. */
    static Problem missing(Tx tx, View view, UUID id) {
        Problem missing = Problem.notFound("Draft");
        return SentDrafts.messageOf(tx, view, id)
                .map(name -> missing.withFix("The draft was sent. Read the message " + name + "."))
                .orElse(missing);
    }

    /** The error for changes while a draft is being sent. */
    static Problem beingSent() {
        return Problem.of(ErrorCode.CONFLICT, "The draft is being sent");
    }

    /** Adds the files of each draft. */
    static List<Drafts.DraftWithFiles> withFiles(Tx tx, View view, List<Draft> drafts) {
        Map<UUID, List<DraftFile>> files =
                DraftFileSql.ofDrafts(tx, view, drafts.stream().map(Draft::id).toList());
        return drafts.stream()
                .map(draft -> new Drafts.DraftWithFiles(draft, files.getOrDefault(draft.id(), List.of())))
                .toList();
    }
}
