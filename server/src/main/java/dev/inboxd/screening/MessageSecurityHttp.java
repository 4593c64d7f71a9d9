package dev.inboxd.screening;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.http.MessageHttp;
import dev.inboxd.mailbox.message.MessageSecurity;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Releases of held messages, and opinions on verdicts, over HTTP (security.md §4). */
final class MessageSecurityHttp {
    private static final int LONGEST = 2_048;

    private final Releases releases;
    private final SecurityFeedback feedback;

    MessageSecurityHttp(Releases releases, SecurityFeedback feedback) {
        this.releases = releases;
        this.feedback = feedback;
    }

    /** Mounts the routes of one inbox. */
    void mount(Routes inbox) {
        inbox.post(Permission.MESSAGE_RELEASE, "/messages/{message_id}/release", this::release);
        inbox.post(Permission.MESSAGE_READ, "/messages/{message_id}/security-feedback", this::addFeedback);
    }

    private Response release(Request request) {
        request.caller().require(Permission.MESSAGE_READ);
        JsonBody body = request.body();
        String reason = text(body, "reason");
        if (reason == null) {
            body.missing("reason");
        }
        body.check();
        String name = MessageHttp.name(request);
        MessageSecurity.ManualOverride override = request.change()
                .target(name)
                .of(releases.release(request.caller(), request.view(), name, Objects.requireNonNull(reason)));
        return Response.ok(JsonObject.of("manual_override", override.json()));
    }

    private Response addFeedback(Request request) {
        JsonBody body = request.body();
        SecurityFeedback.Opinion opinion =
                body.choice("feedback", SecurityFeedback.Opinion.values(), SecurityFeedback.Opinion::wireName);
        if (opinion == null) {
            body.missing("feedback");
        }
        String notes = text(body, "notes");
        body.check();
        return Response.ok(
                feedback.add(request.view(), MessageHttp.name(request), Objects.requireNonNull(opinion), notes)
                        .json());
    }

    /** A text of people, with line breaks; null when it is left out or empty. Faults are added to the body. */
    private static @Nullable String text(JsonBody body, String name) {
        String text = body.string(name).max(LONGEST).multiline().optional();
        if (text != null && (text.isBlank() || text.indexOf('\0') >= 0)) {
            body.fault(name, name + " must say something, without the character U+0000");
        }
        return text;
    }
}
