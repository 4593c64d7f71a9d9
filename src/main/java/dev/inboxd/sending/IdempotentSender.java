package dev.inboxd.sending;

import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Fault;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.json.ClientIds;
import dev.inboxd.platform.json.JsonObject;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends the message of a request exactly once (mail.md §11): an equal earlier request is looked up first. */
public final class IdempotentSender {
    private static final String KEY = "Idempotency-Key";

    private final MailSender sender;
    private final IdempotencyStore store;

    /** A sender with a store of earlier results. */
    public IdempotentSender(MailSender sender, IdempotencyStore store) {
        this.sender = sender;
        this.store = store;
    }

    /**
     * Sends, unless an equal request was answered before or its response was lost.
     *
     * @param command builds the message to send, as for {@link MailSender#send}. It is called only when no earlier
     *     result is found, so a repeat does not need a draft or message that may be deleted by now
     * @return the response of the first of equal requests
     * @throws Problem as {@code command} and {@link MailSender#send}, and {@code conflict} (mail.md §11.1)
     */
    public Response send(Request request, Supplier<MailSender.SendCommand> command) {
        String key = key(request);
        byte[] fingerprint = RequestFingerprint.of(request, key == null);
        IdempotencyStore.Claim claim;
        if (key == null) {
            claim = store.unnamed(request.caller().organization(), fingerprint);
        } else {
            IdempotencyStore.ClaimResult begun = store.begin(request.caller().organization(), key, fingerprint);
            if (begun.claim() == null) {
                return answer(begun.before());
            }
            claim = begun.claim();
        }
        IdempotencyStore.IdempotencyHook hook = store.hook(claim);
        SendResult sent = sent(
                claim,
                hook,
                extra -> sender.send(() -> {
                    MailSender.SendCommand built = command.get();
                    return built.with(extra.and(built.hook()));
                }));
        request.onAnswered(written -> {
            if (written) {
                hook.acknowledge();
            }
        });
        return answer(sent);
    }

    /**
     * The result of a submission.
     *
     * @param acknowledge to call when the SMTP reply was written: an equal submission is a new message from then on
     */
    public record SubmissionResult(SendResult sent, Runnable acknowledge) {}

    /**
     * Sends a message submitted over SMTP, unless the reply to an equal submission was lost (promise P5).
     *
     * @param view narrowed to the sending inbox
     * @param fingerprint equal for repeats of the same submission only
     * @throws Problem as {@link MailSender#submit}
     */
    public SubmissionResult submit(View view, byte[] fingerprint, SubmittedMessage message) {
        IdempotencyStore.Claim claim = store.unnamed(view.organization(), fingerprint);
        IdempotencyStore.IdempotencyHook hook = store.hook(claim);
        SendResult sent = sent(claim, hook, extra -> sender.submit(view, message, extra));
        return new SubmissionResult(sent, hook::acknowledge);
    }

    private SendResult sent(
            IdempotencyStore.Claim claim,
            IdempotencyStore.IdempotencyHook hook,
            Function<CommitHook, SendResult> send) {
        try {
            return send.apply(hook);
        } catch (RuntimeException refusal) {
            SendResult before = refusal instanceof Problem ? unacknowledged(hook, refusal) : null;
            if (before != null) {
                return before;
            }
            release(claim, refusal);
            throw refusal;
        } finally {
            store.end(claim);
        }
    }

    /**
     * The earlier result when sending fails. The error describes the present: the draft is sent and deleted, the inbox
     * paused since, or a remote file gone. The equal send before it succeeded, and only its response was lost.
     */
    private @Nullable SendResult unacknowledged(IdempotencyStore.IdempotencyHook hook, RuntimeException refusal) {
        try {
            return store.findUnacknowledged(hook);
        } catch (RuntimeException busy) {
            refusal.addSuppressed(busy);
            return null;
        }
    }

    /** Releases the claim. If that fails, the claim expires by itself. */
    private void release(IdempotencyStore.Claim claim, RuntimeException refusal) {
        try {
            store.release(claim);
        } catch (RuntimeException busy) {
            refusal.addSuppressed(busy);
        }
    }

    private static @Nullable String key(Request request) {
        String key = request.header(KEY);
        if (key != null && !ClientIds.isValid(key)) {
            throw Problem.invalid(List.of(new Fault(
                    List.of("headers", "idempotency-key"),
                    "Idempotency-Key has 1 to 256 letters, digits and - . _ ~")));
        }
        return key;
    }

    private static Response answer(@Nullable SendResult sent) {
        if (sent == null) {
            throw new IllegalStateException("A send was begun without a claim and without an answer");
        }
        return Response.ok(JsonObject.of("message_id", sent.messageName()).with("thread_id", sent.thread()));
    }
}
