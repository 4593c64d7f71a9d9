package dev.inboxd.observe.audit;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call of a key that sent a message, or changed it; for the trace of the message. Reads are not kept twice: the
 * requests of the key have them.
 *
 * @param message the public id of the message, which other inboxes may have as well
 * @param request the id of the request
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
    /** The call that a request was; null when it was about no message of one inbox, or not by a key. */
    static @Nullable MessageCall of(Request request, Response answer, Instant at) {
        UUID inbox = request.view().inbox();
        UUID key = request.caller().apiKeyId();
        String template = request.route().template();
        if (inbox == null
                || key == null
                || answer.status() >= 300
                || request.route().method().equals("GET")) {
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
