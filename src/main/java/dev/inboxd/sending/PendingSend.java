package dev.inboxd.sending;

import dev.inboxd.mailbox.message.StoredContent;
import dev.inboxd.queue.SubmissionQueue;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One message on its way to a commit that it may share with others, and what that decides. */
final class PendingSend {
    private final PreparedMessage leaving;
    private final StoredContent content;
    private final CommitHook hook;
    private final SubmissionQueue.@Nullable ImmediateSlot handover;
    // What the transaction that is under way decided, which counts once it is committed.
    private @Nullable SendResult sent;
    private @Nullable RuntimeException refusal;

    /**
     * A message that nothing is known of yet.
     *
     * @param handover room to carry it as soon as it is committed, or null
     */
    PendingSend(
            PreparedMessage leaving,
            StoredContent content,
            CommitHook companion,
            SubmissionQueue.@Nullable ImmediateSlot handover) {
        this.leaving = leaving;
        this.content = content;
        this.hook = companion;
        this.handover = handover;
    }

    PreparedMessage leaving() {
        return leaving;
    }

    StoredContent content() {
        return content;
    }

    CommitHook hook() {
        return hook;
    }

    SubmissionQueue.@Nullable ImmediateSlot handover() {
        return handover;
    }

    /** Of several postings with one of these in common, only one is in a transaction: the next shall see it. */
    Set<Object> only() {
        Set<Object> all = new HashSet<>(hook.only());
        if (leaving.named()) {
            all.add(leaving.name());
        }
        return all;
    }

    /** A transaction begins in which it may be decided. */
    void begin() {
        sent = null;
        refusal = null;
    }

    /** It is answered with that, once the transaction is committed. */
    void accept(SendResult made) {
        sent = made;
    }

    /** It alone comes to nothing. */
    void refuse(RuntimeException why) {
        refusal = why;
    }

    /** Whether the transaction decided; if not, it goes into another one. */
    boolean isDecided() {
        return sent != null || refusal != null;
    }

    /** What the committed transaction decided: the answer, or what refused it is thrown. */
    SendResult result() {
        if (refusal != null) {
            throw refusal;
        }
        return Objects.requireNonNull(sent);
    }
}
