package dev.inboxd.observe.audit;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call of a key or of a payer that sent a message, read it or changed it; for the trace of the message. Of reads
 * {@link RecentReads} keeps one an hour.
 *
 * @param message the public id of the message, which other inboxes may have as well
 * @param request the id of the request
 * @param key the key, or what was paid for the call
 * @param reader the key, or the account that pays, whatever it paid for the call
 * @param route the template of its route
 */
public record MessageCall(
        UUID organization,
        UUID inbox,
        String message,
        String request,
        UUID key,
        UUID reader,
        Instant at,
        String method,
        String route) {
    /** The ends of the routes that send: what they answer names the message that was sent. */
    public static final List<String> SENDING = List.of("/send", "/reply", "/reply-all", "/forward");

    /** The call that a request was; null when it was about no message of one inbox, or not by a key or a payer. */
    static @Nullable MessageCall of(Request request, Response answer, Instant at) {
        UUID inbox = request.view().inbox();
        Caller.Credential by = request.caller().credential();
        UUID key = by(by);
        UUID reader = by instanceof Caller.Credential.Payer payer ? payer.id() : key;
        String template = request.route().template();
        if (inbox == null || key == null || reader == null || answer.status() >= 300 || template.endsWith("/trace")) {
            return null;
        }
        String message = sends(template) ? AnswerMembers.text(answer, "message_id") : named(request);
        return message == null
                ? null
                : new MessageCall(
                        request.view().organization(),
                        inbox,
                        message,
                        request.id(),
                        key,
                        reader,
                        at,
                        request.route().method(),
                        template);
    }

    /** Whether it changed nothing. */
    boolean isRead() {
        return method.equals("GET");
    }

    /** A key, or a payment; a call of a payer that costs nothing has the id that is made of the account. */
    private static @Nullable UUID by(Caller.Credential credential) {
        return switch (credential) {
            case Caller.Credential.Key(UUID id) -> id;
            case Caller.Credential.Payer payer -> payer.payment() == null ? payer.id() : payer.payment();
            case Caller.Credential.Session _, Caller.Credential.Operator _ -> null;
        };
    }

    private static boolean sends(String template) {
        return SENDING.stream().anyMatch(template::endsWith);
    }

    private static @Nullable String named(Request request) {
        if (!request.route().template().contains("/{message_id}")) {
            return null;
        }
        String id = request.path("message_id");
        return id.startsWith("<") ? id : "<" + id + ">"; // mail.md §1.2: a path may have it without its brackets
    }
}
