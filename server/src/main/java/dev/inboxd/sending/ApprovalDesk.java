package dev.inboxd.sending;

import dev.inboxd.base.database.Tx;
import java.util.List;
import java.util.UUID;

/** Where messages wait for approval (approvals.md §2). */
public interface ApprovalDesk {
    /**
     * Takes a message in. What is large of it is stored when this returns; the rest in the transaction.
     *
     * @throws dev.inboxd.base.error.Problem as a send that is refused
     */
    Filing file(WaitingMessage waiting);

    /** Whether mail of an inbox to all of these recipients leaves without approval. */
    boolean isExempt(UUID organization, UUID inbox, List<String> recipients);

    /** A message that is being taken in. */
    interface Filing {
        /** The draft that it is. */
        UUID draft();

        /** Whether the id that a message wishes is promised to another one already. */
        boolean isPromised(Tx tx, WaitingMessage waiting);

        /**
         * Stores the draft, and tells of it.
         *
         * @param tx holds the organization's clock, with {@link ApprovalGate#NUMBERS}
         * @param waiting with the ids that are reserved for it
         */
        void write(Tx tx, WaitingMessage waiting);
    }
}
