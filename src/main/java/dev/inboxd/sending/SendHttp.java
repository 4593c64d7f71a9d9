package dev.inboxd.sending;

import dev.inboxd.mailbox.message.MessageHttp;
import dev.inboxd.platform.access.Access;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.http.BodyLimit;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.tenant.inbox.Inbox;

/** HTTP routes that send. No rule is decided here. */
public final class SendHttp {
    private static final Access ANSWERING = new Access.Either(Permission.MESSAGE_SEND, Permission.MESSAGE_REPLY);

    private final IdempotentSender once;
    private final OriginalMessage.Finder sources;

    /** The routes; each request is sent once. */
    public SendHttp(IdempotentSender once, OriginalMessage.Finder sources) {
        this.once = once;
        this.sources = sources;
    }

    /** Mounts the routes of one inbox. */
    public void mount(Routes inbox) {
        inbox.post(Permission.MESSAGE_SEND, "/messages/send", BodyLimit.ATTACHMENTS, this::send);
        inbox.post(ANSWERING, "/messages/{message_id}/reply", BodyLimit.ATTACHMENTS, this::reply);
        inbox.post(ANSWERING, "/messages/{message_id}/reply-all", BodyLimit.ATTACHMENTS, this::replyAll);
        inbox.post(Permission.MESSAGE_SEND, "/messages/{message_id}/forward", BodyLimit.ATTACHMENTS, this::forward);
    }

    private Response send(Request request) {
        return once.send(
                request,
                () -> command(request, read(request, SendRequest.Kind.SEND).message()));
    }

    private Response reply(Request request) {
        return once.send(request, () -> {
            OriginalMessage source = source(request);
            SendRequest asked = read(request, SendRequest.Kind.REPLY);
            OutgoingMessage message = asked.message();
            return command(request, asked.replyAll() ? message.answeringAll(source) : message.answering(source));
        });
    }

    private Response replyAll(Request request) {
        return once.send(request, () -> {
            OriginalMessage source = source(request);
            return command(
                    request, read(request, SendRequest.Kind.REPLY_ALL).message().answeringAll(source));
        });
    }

    private Response forward(Request request) {
        // mail.md §3: a forward shows received mail to others.
        request.caller().require(Permission.MESSAGE_READ);
        return once.send(request, () -> {
            OriginalMessage source = source(request);
            OutgoingMessage message = read(request, SendRequest.Kind.FORWARD).message();
            return command(request, message.forwarding(source).enclosing(source));
        });
    }

    private static SendRequest read(Request request, SendRequest.Kind form) {
        return SendRequest.read(request.body(), form);
    }

    private OriginalMessage source(Request request) {
        return sources.find(request.view(), MessageHttp.name(request));
    }

    private static MailSender.SendCommand command(Request request, OutgoingMessage message) {
        Inbox sender = request.caller().unverified() ? null : request.resolved(Inbox.class);
        return new MailSender.SendCommand(request.view(), sender, message, CommitHook.NONE);
    }
}
