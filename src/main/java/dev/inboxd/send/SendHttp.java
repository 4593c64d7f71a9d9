package dev.inboxd.send;

import dev.inboxd.access.Access;
import dev.inboxd.access.Permission;
import dev.inboxd.error.Fault;
import dev.inboxd.error.Problem;
import dev.inboxd.http.BodyLimit;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.json.ClientIds;
import dev.inboxd.json.JsonObject;
import dev.inboxd.message.Contents;
import dev.inboxd.message.Messages;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sending over HTTP: first the memory of what was answered, then the body, then the message. */
public final class SendHttp {
    private static final String KEY = "Idempotency-Key";

    private final Sending sending;
    private final SendMemory memory;
    private final Messages messages;
    private final Contents contents;

    SendHttp(Sending sending, SendMemory memory, Messages messages, Contents contents) {
        this.sending = sending;
        this.memory = memory;
        this.messages = messages;
        this.contents = contents;
    }

    /** The routes, with everything behind them. */
    public static SendHttp of(Sending.Parts parts, Messages messages, Contents contents) {
        return new SendHttp(new Sending(parts), parts.memory(), messages, contents);
    }

    /** Mounts the routes of one inbox. */
    public void mount(Routes inbox) {
        inbox.post(Permission.MESSAGE_SEND, "/messages/send", BodyLimit.ATTACHMENTS, this::send);
        inbox.post(new Access.Either(Permission.MESSAGE_SEND, Permission.MESSAGE_REPLY),
                "/messages/{message_id}/reply", BodyLimit.ATTACHMENTS, this::reply);
    }

    private Response send(Request request) {
        return once(request, () -> Letter.of(SendRequest.read(request.body())));
    }

    private Response reply(Request request) {
        String id = request.path("message_id");
        return once(request, () -> {
            Messages.Found original = messages.get(request.view(), id.startsWith("<") ? id : "<" + id + ">");
            return Letter.replyTo(original.message(), contents.shown(original.content()),
                    SendRequest.read(request.body()));
        });
    }

    /** Sends the letter unless this very request was answered before, or its answer was lost (contract: mail.md §11). */
    private Response once(Request request, Supplier<Letter> letter) {
        String key = key(request);
        byte[] fingerprint = Fingerprint.of(request, key == null);
        SendMemory.Claim claim;
        if (key == null) {
            claim = memory.unnamed(request.caller().organization(), fingerprint);
        } else {
            SendMemory.Begun begun = memory.begin(request.caller().organization(), key, fingerprint);
            if (begun.claim() == null) {
                return answer(begun.before());
            }
            claim = begun.claim();
        }
        try {
            SendMemory.Answer answer = sending.send(request.caller(), request.view(), letter.get(), claim);
            request.onAnswered(written -> {
                if (written) {
                    memory.answered(claim);
                }
            });
            return answer(answer);
        } catch (RuntimeException refusal) {
            release(claim, refusal);
            throw refusal;
        }
    }

    /** A claim that cannot be given back now runs out by itself. */
    private void release(SendMemory.Claim claim, RuntimeException refusal) {
        try {
            memory.release(claim);
        } catch (RuntimeException busy) {
            refusal.addSuppressed(busy);
        }
    }

    private static @Nullable String key(Request request) {
        String key = request.header(KEY);
        if (key != null && !ClientIds.isValid(key)) {
            throw Problem.invalid(List.of(new Fault(List.of("headers", "idempotency-key"),
                    "Idempotency-Key has 1 to 256 letters, digits and - . _ ~")));
        }
        return key;
    }

    private static Response answer(SendMemory.@Nullable Answer answer) {
        if (answer == null) {
            throw new IllegalStateException("A send was begun without a claim and without an answer");
        }
        return Response.ok(JsonObject.of("message_id", answer.messageName()).with("thread_id", answer.thread()));
    }
}
