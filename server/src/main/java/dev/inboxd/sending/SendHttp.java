package dev.inboxd.sending;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.http.MessageHttp;
import dev.inboxd.sending.compose.OriginalMessage;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.compose.SendRequest;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.Idempotency;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.List;
import java.util.function.Supplier;

/** HTTP routes that send. No rule is decided here. */
public final class SendHttp {
    private static final Access ANSWERING = new Access.Either(Permission.MESSAGE_SEND, Permission.MESSAGE_REPLY);

    private final MailSender sender;
    private final Idempotency idempotency;
    private final OriginalMessage.Finder sources;

    /** The routes; each request is sent once. */
    public SendHttp(MailSender sender, Idempotency idempotency, OriginalMessage.Finder sources) {
        this.sender = sender;
        this.idempotency = idempotency;
        this.sources = sources;
    }

    /** Mounts the routes of one inbox. */
    public void mount(Routes inbox) {
        inbox.post(Permission.MESSAGE_SEND, "/messages/send", BodyLimit.ATTACHMENTS, this::send);
        inbox.post(ANSWERING, "/messages/{message_id}/reply", BodyLimit.ATTACHMENTS, this::reply);
        inbox.post(ANSWERING, "/messages/{message_id}/reply-all", BodyLimit.ATTACHMENTS, this::replyAll);
        inbox.post(Permission.MESSAGE_SEND, "/messages/{message_id}/forward", BodyLimit.ATTACHMENTS, this::forward);
    }

    /** A message with the terms under which it may join a thread. */
    private record AskedMessage(OutgoingMessage message, AnswerTerms terms) {}

    private Response send(Request request) {
        return execute(request, () -> {
            SendRequest sendRequest = read(request, SendRequest.Kind.SEND);
            return new AskedMessage(sendRequest.message(), sendRequest.terms());
        });
    }

    private Response reply(Request request) {
        return answer(request, () -> {
            OriginalMessage source = source(request);
            SendRequest sendRequest = read(request, SendRequest.Kind.REPLY);
            return askedMessage(
                    sendRequest.replyAll()
                            ? sendRequest.message().answeringAll(source)
                            : sendRequest.message().answering(source),
                    sendRequest,
                    source);
        });
    }

    private Response replyAll(Request request) {
        return answer(request, () -> {
            OriginalMessage source = source(request);
            SendRequest sendRequest = read(request, SendRequest.Kind.REPLY_ALL);
            return askedMessage(sendRequest.message().answeringAll(source), sendRequest, source);
        });
    }

    private Response forward(Request request) {
        // mail.md §3: a forward shows received mail to others.
        request.caller().require(Permission.MESSAGE_READ);
        return execute(request, () -> {
            OriginalMessage source = source(request);
            SendRequest sendRequest = read(request, SendRequest.Kind.FORWARD);
            return askedMessage(sendRequest.message().forwarding(source).enclosing(source), sendRequest, source);
        });
    }

    private static AskedMessage askedMessage(OutgoingMessage message, SendRequest request, OriginalMessage source) {
        AnswerTerms terms = request.terms();
        return new AskedMessage(message, terms.of(terms.kind(), source.message().name()));
    }

    private Response execute(Request request, Supplier<AskedMessage> message) {
        return idempotency.execute(request, hook -> sender.send(() -> command(request, message.get(), hook)));
    }

    private Response answer(Request request, Supplier<AskedMessage> message) {
        return idempotency.executeReply(request, hook -> sender.send(() -> command(request, message.get(), hook)));
    }

    private static SendRequest read(Request request, SendRequest.Kind form) {
        return SendRequest.read(request.body(), form);
    }

    private OriginalMessage source(Request request) {
        return sources.find(request.view(), MessageHttp.name(request));
    }

    private static SendCommand command(Request request, AskedMessage askedMessage, CommitHook hook) {
        Inbox inbox = request.caller().unverified() ? null : request.resolved(Inbox.class);
        AnswerTerms terms = askedMessage.terms.by(request.caller().credential().id());
        return new SendCommand(
                request.view(),
                inbox,
                askedMessage.message,
                List.of(hook),
                null,
                SendOrigin.of(request.caller()).under(terms));
    }
}
