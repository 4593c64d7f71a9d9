package dev.inboxd.sending.trace;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventId;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.observe.audit.MessageCall;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what is known of a message; the caller may read the message. */
final class TraceSql {
    /** A message has few events; labels that somebody adds and removes all day do not fill the answer. */
    private static final int MOST = 200;

    private static final int MOST_ANSWERS = 10;

    private TraceSql() {}

    /**
     * The events about a message, the oldest first; those that only the feed has come without attempts.
     *
     * @param webhooks what the caller sees of webhooks, those of the organization among them; null for none
     */
    static List<JsonObject> events(Tx tx, View view, UUID message, @Nullable View webhooks) {
        record TracedEvent(long number, JsonObject json) {}
        List<TracedEvent> events = tx.sql(
                        view,
                        "select e.seq, e.at, e.type, e.labels from event e where {e} and e.message_id = :message"
                                + " order by e.seq limit " + MOST)
                .bind("message", message)
                .list(row -> new TracedEvent(
                        row.longer("seq"),
                        JsonObject.of(
                                        "event_id",
                                        EventId.of(
                                                view.organization(),
                                                new Tx.Stamp(row.longer("seq"), row.instant("at"))))
                                .with("event_type", row.text("type"))
                                .with("labels", row.texts("labels").isEmpty() ? null : row.texts("labels"))
                                .with("at", row.instant("at"))));
        Map<Long, List<JsonObject>> attempts = webhooks == null
                ? Map.of()
                : attempts(
                        tx, webhooks, events.stream().map(TracedEvent::number).toList());
        return events.stream()
                .map(event -> event.json().with("attempts", attempts.get(event.number())))
                .toList();
    }

    private static Map<Long, List<JsonObject>> attempts(Tx tx, View view, List<Long> numbers) {
        Map<Long, List<JsonObject>> attempts = new HashMap<>();
        tx.sql(view, """
                select t.seq, t.webhook_id, t.at, t.attempt, t.status, t.error, t.millis, left(w.url, 2048) as url,
                    case when d.claimed_by is null and d.failed_at is null and d.attempts = t.attempt
                        then d.due_at end as next_at
                from delivery_attempt t
                join webhook w on w.organization_id = t.organization_id and w.webhook_id = t.webhook_id
                left join delivery d on d.organization_id = t.organization_id and d.seq = t.seq
                    and d.webhook_id = t.webhook_id
                where {w} and t.organization_id = {organization} and t.seq = any (:numbers)
                order by t.seq, t.at limit :most""")
                .bind("numbers", numbers.toArray(Long[]::new))
                .bind("most", MOST)
                .list(row -> attempts.computeIfAbsent(row.longer("seq"), _ -> new ArrayList<>())
                        .add(JsonObject.of("webhook_id", row.text("webhook_id"))
                                .with("host", host(row.textOrNull("url")))
                                .with("attempt", row.integer("attempt"))
                                .with("status", row.integerOrNull("status"))
                                .with("error", row.textOrNull("error"))
                                .with("duration_ms", row.integer("millis"))
                                .with("next_attempt_at", row.instantOrNull("next_at"))
                                .with("at", row.instant("at"))));
        return attempts;
    }

    /** The host of a webhook: the rest of its URL may have a secret. */
    private static @Nullable String host(@Nullable String url) {
        try {
            return url == null ? null : URI.create(url).getHost();
        } catch (IllegalArgumentException unreadable) {
            return null;
        }
    }

    /**
     * A call about a message.
     *
     * @param message its public id
     */
    record Call(String message, JsonObject json) {}

    private static final String CALLS = """
            select c.message_id, c.request_id, c.api_key_id, k.name, c.method, c.route, c.at
            from message_call c
            join api_key k on k.organization_id = c.organization_id and k.api_key_id = c.api_key_id
            where {k} and c.organization_id = {organization} and c.inbox_id = :inbox
              and %s limit :most""";

    /**
     * The calls about a message, and those that sent its answers, the oldest first, by the keys of the caller's scope.
     * Of many the newest are here, and reads take no room from changes.
     *
     * @param answers the public ids of answers that were sent from here
     */
    static List<Call> calls(Tx tx, View scope, Message message, List<String> answers) {
        return tx.sql(
                        scope,
                        "select x.* from (("
                                + CALLS.formatted("c.message_id = :message and c.method <> 'GET' order by c.at desc")
                                + ") union all ("
                                + CALLS.formatted("c.message_id = :message and c.method = 'GET' order by c.at desc")
                                + ") union all ("
                                + CALLS.formatted("c.message_id = any (:answers) and c.route like any (:sending)"
                                        + " order by c.at")
                                + ")) x order by x.at")
                .bind("inbox", message.place().inbox())
                .bind("message", message.name())
                .bind("answers", answers.toArray(String[]::new))
                .bind(
                        "sending",
                        MessageCall.SENDING.stream().map(end -> "%" + end).toArray(String[]::new))
                .bind("most", MOST)
                .list(row -> new Call(
                        row.text("message_id"),
                        JsonObject.of("request_id", row.text("request_id"))
                                .with("api_key_id", row.uuid("api_key_id"))
                                .with("name", row.textOrNull("name"))
                                .with("method", row.text("method"))
                                .with("route", row.text("route"))
                                .with("at", row.instant("at"))));
    }

    /**
     * A message that went the other way in the conversation, later.
     *
     * @param name its public id
     */
    record Answer(String name, Instant at) {}

    /** The first messages that went the other way in the conversation of a message, after it. */
    static List<Answer> answers(Tx tx, View view, Message message) {
        return tx.sql(view, """
                select m.name, m.created_at from message m
                where {m} and m.thread_id = :thread and m.created_at > :at and m.outgoing = :answering
                  and m.restricted = 0
                order by m.created_at limit :most""")
                .bind("thread", message.place().thread())
                .bind("at", message.createdAt())
                .bind("answering", !message.outgoing())
                .bind("most", MOST_ANSWERS)
                .list(row -> new Answer(row.text("name"), row.instant("created_at")));
    }

    /** The draft that a sent message was, and who approved it. */
    static List<JsonObject> draft(Tx tx, View view, UUID message) {
        return tx.sql(View.of(view.organization()), """
                select s.draft_id, a.at, a.actor, a.actor_id, a.actor_name, a.request_id
                from sent_draft s left join audit_entry a on a.organization_id = s.organization_id
                    and a.action = 'draft.approved' and a.target = s.draft_id::text
                where s.organization_id = {organization} and s.message_id = :message
                order by a.entry_id limit 1""")
                .bind("message", message)
                .list(row -> JsonObject.of("draft_id", row.uuid("draft_id"))
                        .with(
                                "approved_by",
                                row.textOrNull("actor") == null
                                        ? null
                                        : JsonObject.of("type", row.text("actor"))
                                                .with(
                                                        row.text("actor").equals("api_key")
                                                                ? "api_key_id"
                                                                : "session_id",
                                                        row.uuidOrNull("actor_id"))
                                                .with("name", row.textOrNull("actor_name")))
                        .with("approved_at", row.instantOrNull("at"))
                        .with("request_id", row.textOrNull("request_id")));
    }
}
