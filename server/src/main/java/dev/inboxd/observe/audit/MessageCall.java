package dev.inboxd.observe.audit;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call of a key or of a payer that sent a message, read it or changed it; for the trace of the message. Of reads
 * {@link RecentReads} keeps one an hour.
 *
 * @param message the public id of the message, which other inboxes may have as well
 * @param request the id of the request
 * @param key the key, or what was paid for the call
 * @param route the template of its route
 */
record MessageCall(
        UUID organization,
        UUID inbox,
        String message,
        String request,
        UUID key,
        Instant at,
        String method,
        String route) {
    /** The call that a request was; null when it was about no message of one inbox, or not by a key or a payer. */
    static @Nullable MessageCall of(Request request, Response answer, Instant at) {
        UUID inbox = request.view().inbox();
        UUID key = by(request.caller().credential());
        String template = request.route().template();
        if (inbox == null || key == null || answer.status() >= 300 || template.endsWith("/trace")) {
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
        return template.endsWith("/send")
                || template.endsWith("/reply")
                || template.endsWith("/reply-all")
                || template.endsWith("/forward");
    }

    private static @Nullable String named(Request request) {
        return request.route().template().contains("/{message_id}") ? request.path("message_id") : null;
    }
}
