package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.mailbox.message.SentDrafts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads of drafts, and the errors for what cannot be read or changed. */
final class DraftReads {
    private DraftReads() {}

    /** A draft and its attachments. */
    record DraftWithFiles(Draft draft, List<DraftFile> files) {
        DraftWithFiles {
            files = List.copyOf(files);
        }
    }

    /**
     * A draft that a caller may change. One that waits is changed by those alone who may approve it, as otherwise
     * something else than what was shown could leave.
     *
     * @throws Problem {@code not_found}, {@code conflict} while it is being sent, or waits for approval
     */
    static Draft changeable(Tx tx, View view, UUID id, Caller caller) {
        Draft draft = deletable(tx, view, id);
        boolean isReviewer = caller.holds(Permission.DRAFT_APPROVE) && !draft.isFrom(caller.apiKeyId());
        if (draft.isSubmitted() || (draft.isWaiting() && !isReviewer)) {
            throw draft.isWaiting() ? waiting(draft) : submitted();
        }
        return draft;
    }

    /**
     * A draft that may be deleted.
     *
     * @throws Problem {@code not_found}, {@code conflict} while it is being sent
     */
    static Draft deletable(Tx tx, View view, UUID id) {
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

    /** The error for changes while a draft is being sent, or paid for. */
    static Problem beingSent() {
        return Problem.of(ErrorCode.CONFLICT, "The draft is being sent");
    }

    /** The error for changes and sends of a draft that waits. */
    static Problem waiting(Draft draft) {
        return Problem.of(
                ErrorCode.CONFLICT,
                "The draft waits for approval",
                "Somebody with draft_approve approves or rejects it: POST /v0/inboxes/"
                        + draft.place().inboxName() + "/drafts/" + draft.id() + "/approve. Delete it to withdraw it.");
    }

    /** The error for changes of a draft that was submitted as a whole message. */
    static Problem submitted() {
        return Problem.of(
                ErrorCode.CONFLICT,
                "The draft is a submitted message, which goes as it came",
                "Delete it, and submit another message.");
    }

    /** The error for answers to a question that is not open any more. */
    static Problem notWaiting() {
        return Problem.of(ErrorCode.CONFLICT, "The draft does not wait for approval", "Read the draft again.");
    }

    /**
     * Requires that nobody changed a draft since somebody read it.
     *
     * @param read its time of change as it was read
     * @throws Problem {@code conflict}
     */
    static void requireAsRead(Draft draft, Instant read) {
        if (!Timestamps.format(draft.updatedAt()).equals(Timestamps.format(read))) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "The draft was changed since it was read",
                    "Read it again, and give its updated_at.");
        }
    }

    /** Adds the files of each draft. */
    static List<DraftWithFiles> withFiles(Tx tx, View view, List<Draft> drafts) {
        Map<UUID, List<DraftFile>> files =
                DraftFileSql.ofDrafts(tx, view, drafts.stream().map(Draft::id).toList());
        return drafts.stream()
                .map(draft -> new DraftWithFiles(draft, files.getOrDefault(draft.id(), List.of())))
                .toList();
    }
}
