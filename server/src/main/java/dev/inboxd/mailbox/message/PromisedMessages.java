package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import java.util.UUID;

/** Messages whose ids were given out, and which wait for approval as drafts (approvals.md §2). */
final class PromisedMessages {
    private record Promise(UUID draft, boolean isRejected) {
        String fix() {
            return isRejected
                    ? "Its approval was refused: the draft " + draft + " says why, and can be changed and sent again."
                    : "It waits for approval as the draft " + draft
                            + ", and is a message under this id when it has it.";
        }
    }

    private PromisedMessages() {}

    /** The error for a message that is not there, which names its draft when there is one. */
    static Problem missing(Tx tx, View view, String name) {
        Problem missing = Problem.notFound("Message");
        return tx.sql(
                        view,
                        "select d.draft_id, d.approval = 'rejected' as rejected from draft d"
                                + " where {d} and d.message_name = :name and d.approval is not null limit 1")
                .bind("name", name)
                .first(row -> new Promise(row.uuid("draft_id"), row.flag("rejected")))
                .map(promise -> missing.withFix(promise.fix()))
                .orElse(missing);
    }
}
