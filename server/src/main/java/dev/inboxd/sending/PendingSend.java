package dev.inboxd.sending;

import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A message that waits for its commit, which it may share with other messages, and the decision on it. */
final class PendingSend {
    private final PreparedMessage prepared;
    private final StoredContent content;
    private final SubmissionQueue.@Nullable ImmediateSlot slot;
    // The decision of the running transaction; valid once it is committed.
    private @Nullable SendResult sent;
    private @Nullable RuntimeException refusal;

    /**
     * A message that is not decided yet.
     *
     * @param slot a slot to deliver the message right after the commit, or null
     */
    PendingSend(PreparedMessage prepared, StoredContent content, SubmissionQueue.@Nullable ImmediateSlot slot) {
        this.prepared = prepared;
        this.content = content;
        this.slot = slot;
    }

    PreparedMessage prepared() {
        return prepared;
    }

    StoredContent content() {
        return content;
    }

    SubmissionQueue.@Nullable ImmediateSlot slot() {
        return slot;
    }

    /** The result that a hook answers with instead of sending, or null to send. */
    @Nullable
    SendResult earlier() {
        for (CommitHook hook : prepared.hooks()) {
            SendResult earlier = hook.decide();
            if (earlier != null) {
                return earlier;
            }
        }
        return null;
    }

    /**
     * Keys that messages share. Of several messages with a common key, only one goes into a transaction: the next must
     * see it committed.
     */
    Set<Object> only() {
        Set<Object> all = new HashSet<>();
        prepared.hooks().forEach(hook -> all.addAll(hook.only()));
        if (prepared.clearance().isNamed()) {
            all.add(prepared.message().name());
        }
        return all;
    }

    /** Begins a transaction that may decide the message. */
    void begin() {
        sent = null;
        refusal = null;
    }

    /** Decides: the message is sent, once the transaction is committed. */
    void accept(SendResult result) {
        sent = result;
    }

    /** Decides: this message is rejected. */
    void refuse(RuntimeException why) {
        refusal = why;
    }

    /** Whether the transaction has decided; if not, the message goes into another one. */
    boolean isDecided() {
        return sent != null || refusal != null;
    }

    /** The committed decision: returns the result, or throws the rejection. */
    SendResult result() {
        if (refusal != null) {
            throw refusal;
        }
        return Objects.requireNonNull(sent);
    }
}
