package dev.inboxd.sandbox.mail;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.OwnPages;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Takes mail over HTTP as if it came from outside. */
public final class HandedMailHttp {
    private static final BodyLimit LIMIT = new BodyLimit(60 << 20, false);

    private final Database database;
    private final MailIntake intake;
    private final InstantSource clock;

    /** A route to that intake. */
    public HandedMailHttp(Database database, MailIntake intake, InstantSource clock) {
        this.database = database;
        this.intake = intake;
        this.clock = clock;
    }

    /** Mounts the route. */
    public void mount(Routes root) {
        root.post(Permission.INBOX_READ, "/sandbox/messages", LIMIT, new OwnPages(this::take));
    }

    private Response take(Request request) {
        View view = request.view();
        HandedMail mail = MailRequest.read(request, id -> address(view, id), clock.instant());
        Map<UUID, Inbox> inboxes = new HashMap<>();
        return switch (intake.take(mail, to -> isVisible(view, to, inboxes))) {
            case MailIntake.Result.Refused refused -> throw problem(refused);
            case MailIntake.Result.Accepted accepted ->
                Response.ok(JsonObject.of(
                        "results",
                        accepted.copies().stream()
                                .map(copy -> json(copy, inboxes))
                                .toList()));
        };
    }

    private String address(View view, String id) {
        return database.read(tx -> InboxScopeResolver.find(tx, view, id))
                .map(Inbox::address)
                .orElseThrow(() -> Problem.notFound("Inbox"));
    }

    private boolean isVisible(View view, AddressDirectory.Destination to, Map<UUID, Inbox> inboxes) {
        if (!to.organization().equals(view.organization())) {
            return false;
        }
        Optional<Inbox> visible = database.read(tx -> Inboxes.find(tx, view, to.inbox()));
        visible.ifPresent(inbox -> inboxes.put(inbox.id(), inbox));
        return visible.isPresent();
    }

    private static Problem problem(MailIntake.Result.Refused refused) {
        SmtpReply reply = refused.reply();
        EnhancedStatus status = reply.status();
        JsonObject smtp = JsonObject.of("code", reply.code())
                .with("enhanced", status == null ? null : status.toString())
                .with("text", reply.text())
                .with("to", refused.to() == null ? null : refused.to().address());
        return Problem.of(
                        ErrorCode.UNPROCESSABLE,
                        "A client of SMTP would be refused: " + reply,
                        "Nothing was stored. Correct what the reply names, or wait where its code begins with 4.")
                .with("smtp", smtp);
    }

    private static JsonObject json(MailIntake.Copy copy, Map<UUID, Inbox> inboxes) {
        Inbox inbox = copy.inbox() == null ? null : inboxes.get(copy.inbox());
        JsonObject json =
                JsonObject.of("to", copy.to().address()).with("inbox_id", inbox == null ? null : inbox.address());
        Message message = copy.message();
        return message == null
                ? json.with("dropped", true)
                : json.with("message_id", message.name())
                        .with("thread_id", message.place().thread())
                        .with("labels", message.labels());
    }
}
