package dev.inboxd.sending.trace;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.http.MessageHttp;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.queue.DeliveryStatuses;
import java.util.ArrayList;
import java.util.List;

/** The trace of a message over HTTP (approvals.md §8). It has no secret, and nothing that the message says. */
public final class TraceHttp {
    private final Database database;
    private final Messages messages;
    private final MessageContents contents;

    /** Routes to the traces of these messages. */
    public TraceHttp(Database database, Messages messages, MessageContents contents) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
    }

    /** Mounts the route of one inbox. */
    public void mount(Routes inbox) {
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}/trace", this::trace);
    }

    private Response trace(Request request) {
        FullMessage fullMessage = messages.get(request.view(), MessageHttp.name(request));
        Message message = fullMessage.message();
        JsonObject trace = JsonObject.of("message_id", message.name())
                .with("thread_id", message.place().thread())
                .with("direction", message.outgoing() ? "sent" : "received");
        if (!message.outgoing()) {
            JsonObject fields = TopFields.read(contents.open(request.view().organization(), fullMessage.content()));
            trace.with("received", fields.with("at", message.createdAt()));
            trace.with(
                    "judged",
                    JsonObject.of("labels", message.labels())
                            .with(
                                    "security",
                                    message.security() == null
                                            ? null
                                            : message.security().json()));
        }
        trace.with("stored", JsonObject.of("at", message.createdAt()).with("size", message.size()));
        return Response.ok(database.read(tx -> completed(tx, request, message, trace)));
    }

    private static JsonObject completed(Tx tx, Request request, Message message, JsonObject trace) {
        View webhooks = request.caller().holds(Permission.WEBHOOK_READ)
                ? request.caller().view()
                : null;
        if (message.outgoing()) {
            List<JsonObject> drafts = TraceSql.draft(tx, request.view(), message.id());
            trace.with("draft", drafts.isEmpty() ? null : drafts.getFirst());
            trace.with("deliveries", DeliveryStatuses.of(tx, request.view(), message.id()));
        }
        List<TraceSql.Answer> answers = TraceSql.answers(tx, request.view(), message);
        List<String> ours = message.outgoing() // its answers came from elsewhere
                ? List.of()
                : answers.stream().map(TraceSql.Answer::name).toList();
        List<TraceSql.Call> paidCalls = TraceSql.calls(tx, request.caller().view(), message, ours);
        List<JsonObject> calls = new ArrayList<>(paidCalls.stream()
                .filter(call -> call.message().equals(message.name()))
                .map(TraceSql.Call::json)
                .toList());
        if (request.caller().scope() == Scope.ORGANIZATION) {
            calls.addAll(PaidCallSql.calls(tx, request.caller().view(), message));
        }
        trace.with("calls", calls.isEmpty() ? null : calls);
        trace.with(
                "answers",
                answers.isEmpty()
                        ? null
                        : answers.stream()
                                .map(answer -> answer(answer, paidCalls))
                                .toList());
        return trace.with("told", TraceSql.events(tx, request.view(), message.id(), webhooks));
    }

    /** An answer, with the call that sent it. */
    private static JsonObject answer(TraceSql.Answer answer, List<TraceSql.Call> calls) {
        JsonObject json = JsonObject.of("message_id", answer.name()).with("at", answer.at());
        return calls.stream()
                .filter(call -> call.message().equals(answer.name()))
                .findFirst()
                .map(call -> json.with("call", call.json()))
                .orElse(json);
    }
}
