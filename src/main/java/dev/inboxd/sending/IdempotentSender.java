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

/** Sends what a request asks for, once (mail.md §11): first comes the memory of what was answered. */
public final class IdempotentSender {
    private static final String KEY = "Idempotency-Key";

    private final MailSender sending;
    private final IdempotencyStore memory;

    /** Sends with a memory. */
    public IdempotentSender(MailSender sending, IdempotencyStore memory) {
        this.sending = sending;
        this.memory = memory;
    }

    /**
     * Sends unless this very request was answered before, or its answer was lost.
     *
     * @param order what to send, as {@link MailSender#send} takes it; asked for only when nothing is remembered, so that a
     *     repeat needs no draft or message that may be gone by now
     * @return the answer of the first of equal requests
     * @throws Problem what the order or the sending refused, and {@code conflict} (mail.md §11.1)
     */
    public Response send(Request request, Supplier<MailSender.SendCommand> order) {
        String key = key(request);
        byte[] fingerprint = RequestFingerprint.of(request, key == null);
        IdempotencyStore.Claim claim;
        if (key == null) {
            claim = memory.unnamed(request.caller().organization(), fingerprint);
        } else {
            IdempotencyStore.ClaimResult begun = memory.begin(request.caller().organization(), key, fingerprint);
            if (begun.claim() == null) {
                return answer(begun.before());
            }
            claim = begun.claim();
        }
        IdempotencyStore.IdempotencyHook noting = memory.hook(claim);
        SendResult sent = sent(
                claim,
                noting,
                besides -> sending.send(() -> {
                    MailSender.SendCommand wanted = order.get();
                    return wanted.with(besides.and(wanted.hook()));
                }));
        request.onAnswered(written -> {
            if (written) {
                noting.acknowledge();
            }
        });
        return answer(sent);
    }

    /**
     * What was submitted, and whom to tell that the answer was written.
     *
     * @param acknowledge to be run then: a repeat is a new message from that moment on
     */
    public record SubmissionResult(SendResult sent, Runnable acknowledge) {}

    /**
     * Sends a message that came over SMTP, unless the answer to this very one was lost (promise P5).
     *
     * @param view narrowed to the inbox that sends
     * @param fingerprint the same for a repeat of it, and for nothing else
     * @throws Problem what the sending refused
     */
    public SubmissionResult submit(View view, byte[] fingerprint, SubmittedMessage manuscript) {
        IdempotencyStore.Claim claim = memory.unnamed(view.organization(), fingerprint);
        IdempotencyStore.IdempotencyHook noting = memory.hook(claim);
        SendResult sent = sent(claim, noting, besides -> sending.submit(view, manuscript, besides));
        return new SubmissionResult(sent, noting::acknowledge);
    }

    private SendResult sent(
            IdempotencyStore.Claim claim,
            IdempotencyStore.IdempotencyHook noting,
            Function<CommitHook, SendResult> send) {
        try {
            return send.apply(noting);
        } catch (RuntimeException refusal) {
            SendResult before = refusal instanceof Problem ? unheard(noting, refusal) : null;
            if (before != null) {
                return before;
            }
            release(claim, refusal);
            throw refusal;
        } finally {
            memory.end(claim);
        }
    }

    /**
     * A refusal says how things are now, and the equal send that went unheard was before: its draft is gone, its inbox
     * paused since, or a file that it fetched is not there any more.
     */
    private @Nullable SendResult unheard(IdempotencyStore.IdempotencyHook noting, RuntimeException refusal) {
        try {
            return memory.findUnacknowledged(noting);
        } catch (RuntimeException busy) {
            refusal.addSuppressed(busy);
            return null;
        }
    }

    /** A claim that cannot be given back now runs out by itself. */
    private void release(IdempotencyStore.Claim claim, RuntimeException refusal) {
        try {
            memory.release(claim);
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
