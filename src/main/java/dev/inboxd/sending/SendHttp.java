package dev.inboxd.sending;

import dev.inboxd.mailbox.message.MessageHttp;
import dev.inboxd.platform.access.Access;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.http.BodyLimit;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.tenant.inbox.Inbox;

/** Sending over HTTP. No rule lives here. */
public final class SendHttp {
    private static final Access ANSWERING = new Access.Either(Permission.MESSAGE_SEND, Permission.MESSAGE_REPLY);

    private final SendOnce once;
    private final Source.Finder sources;

    /** Routes that send, each request once. */
    public SendHttp(SendOnce once, Source.Finder sources) {
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
                () -> order(request, read(request, SendRequest.Form.SEND).letter()));
    }

    private Response reply(Request request) {
        return once.send(request, () -> {
            Source source = source(request);
            SendRequest asked = read(request, SendRequest.Form.REPLY);
            Letter letter = asked.letter();
            return order(request, asked.replyAll() ? letter.answeringAll(source) : letter.answering(source));
        });
    }

    private Response replyAll(Request request) {
        return once.send(request, () -> {
            Source source = source(request);
            return order(
                    request, read(request, SendRequest.Form.REPLY_ALL).letter().answeringAll(source));
        });
    }

    private Response forward(Request request) {
        // mail.md §3: a forward shows what was received to others.
        request.caller().require(Permission.MESSAGE_READ);
        return once.send(request, () -> {
            Source source = source(request);
            Letter letter = read(request, SendRequest.Form.FORWARD).letter();
            return order(request, letter.forwarding(source).enclosing(source));
        });
    }

    private static SendRequest read(Request request, SendRequest.Form form) {
        return SendRequest.read(request.body(), form);
    }

    private Source source(Request request) {
        return sources.find(request.view(), MessageHttp.name(request));
    }

    private static Sending.Order order(Request request, Letter letter) {
        Inbox sender = request.caller().unverified() ? null : request.found(Inbox.class);
        return new Sending.Order(request.view(), sender, letter, Companion.NONE);
    }
}
