package dev.inboxd.sending;

import dev.inboxd.mailbox.message.Message;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import java.util.function.Function;

/** Sends the message of a request exactly once (mail.md §11): an equal earlier request is looked up first. */
public final class Idempotency {
    private final IdempotencyStore store;

    /** Sends whose results are in this store. */
    public Idempotency(IdempotencyStore store) {
        this.store = store;
    }

    /**
     * The result of a send, or of the equal one before it.
     *
     * @param acknowledge to call when the reply was written: an equal send is a new one from then on
     */
    public record Execution(SendResult sent, Runnable acknowledge) {}

    /**
     * Answers a request to send; see {@link #execute(IdempotencyKey, Function)}.
     *
     * @return the response of the first of equal requests
     * @throws Problem as {@link IdempotencyKey#of}, too
     */
    public Response execute(Request request, Function<CommitHook, SendResult> send) {
        return Response.ok(result(request, send).json());
    }

    /** Answers a request to reply. The response also names whom the reply went to: the original may decide that. */
    Response executeReply(Request request, Function<CommitHook, SendResult> send) {
        SendResult sent = result(request, send);
        Message.People people =
                sent.people() == null ? store.people(request.view(), sent.messageName()) : sent.people();
        return Response.ok(people == null ? sent.json() : people.withRecipients(sent.json()));
    }

    private SendResult result(Request request, Function<CommitHook, SendResult> send) {
        Execution execution = execute(IdempotencyKey.of(request), send);
        request.onAnswered(written -> {
            if (written) {
                execution.acknowledge.run();
            }
        });
        return execution.sent;
    }

    /**
     * Sends, unless an equal send was answered before or its response was lost.
     *
     * @param send sends with this hook in its commit. It is called only when no earlier result is found, so a repeat
     *     does not need a draft or message that may be deleted by now
     * @throws Problem as {@code send}, and {@code conflict} (mail.md §11.1)
     */
    public Execution execute(IdempotencyKey key, Function<CommitHook, SendResult> send) {
        IdempotencyClaim claim = store.begin(key);
        try {
            SendResult earlier = claim.earlier();
            return new Execution(earlier != null ? earlier : send.apply(claim), claim::acknowledge);
        } catch (Problem refusal) {
            return new Execution(unacknowledged(claim, refusal), claim::acknowledge);
        } catch (RuntimeException failure) {
            release(claim, failure);
            throw failure;
        } finally {
            claim.end();
        }
    }

    /**
     * The result of an equal send whose response was lost, when this one is refused. The refusal describes the present:
     * the draft is sent and deleted, the inbox paused since, or a remote file gone.
     *
     * @throws Problem the refusal, when there is no such result
     */
    private SendResult unacknowledged(IdempotencyClaim claim, Problem refusal) {
        try {
            SendResult earlier = store.findUnacknowledged(claim);
            if (earlier != null) {
                return earlier;
            }
        } catch (RuntimeException busy) {
            refusal.addSuppressed(busy);
        }
        release(claim, refusal);
        throw refusal;
    }

    /** Releases the claim: a send that failed does not use up its key. If that fails, the claim expires by itself. */
    private void release(IdempotencyClaim claim, RuntimeException failure) {
        try {
            store.release(claim);
        } catch (RuntimeException busy) {
            failure.addSuppressed(busy);
        }
    }
}
