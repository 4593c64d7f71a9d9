package dev.inboxd.sending.trace;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventId;
import dev.inboxd.mailbox.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads what is known of a message; the caller may read the message. */
final class TraceSql {
    /** A message has few events; labels that somebody adds and removes all day do not fill the answer. */
    private static final int MOST = 200;

    private TraceSql() {}

    /** The events about a message, the oldest first; those that only the feed has come without attempts. */
    static List<JsonObject> events(Tx tx, View view, UUID message, boolean withAttempts) {
        record Told(long number, JsonObject json) {}
        List<Told> told = tx.sql(
                        view,
                        "select e.seq, e.at, e.type, e.labels from event e where {e} and e.message_id = :message"
                                + " order by e.seq limit " + MOST)
                .bind("message", message)
                .list(row -> new Told(
                        row.longer("seq"),
                        JsonObject.of(
                                        "event_id",
                                        EventId.of(
                                                view.organization(),
                                                new Tx.Stamp(row.longer("seq"), row.instant("at"))))
                                .with("event_type", row.text("type"))
                                .with("labels", row.texts("labels").isEmpty() ? null : row.texts("labels"))
                                .with("at", row.instant("at"))));
        Map<Long, List<JsonObject>> attempts = withAttempts
                ? attempts(tx, view, told.stream().map(Told::number).toList())
                : Map.of();
        return told.stream()
                .map(each -> each.json().with("attempts", attempts.get(each.number())))
                .toList();
    }

    private static Map<Long, List<JsonObject>> attempts(Tx tx, View view, List<Long> numbers) {
        Map<Long, List<JsonObject>> attempts = new HashMap<>();
        tx.sql(view, """
                select t.seq, t.webhook_id, t.at, t.attempt, t.status, t.error, t.millis
                from delivery_attempt t
                join webhook w on w.organization_id = t.organization_id and w.webhook_id = t.webhook_id
                where {w} and t.organization_id = {organization} and t.seq = any (:numbers)
                order by t.seq, t.at limit :most""")
                .bind("numbers", numbers.toArray(Long[]::new))
                .bind("most", MOST)
                .list(row -> attempts.computeIfAbsent(row.longer("seq"), _ -> new ArrayList<>())
                        .add(JsonObject.of("webhook_id", row.text("webhook_id"))
                                .with("attempt", row.integer("attempt"))
                                .with("status", row.integerOrNull("status"))
                                .with("error", row.textOrNull("error"))
                                .with("duration_ms", row.integer("millis"))
                                .with("at", row.instant("at"))));
        return attempts;
    }

    /** The calls about a message, the oldest first, by the keys of the caller's scope. */
    static List<JsonObject> calls(Tx tx, View scope, Message message) {
        return tx.sql(scope, """
                select c.request_id, c.api_key_id, k.name, c.method, c.route, c.at
                from message_call c
                join api_key k on k.organization_id = c.organization_id and k.api_key_id = c.api_key_id
                where {k} and c.organization_id = {organization} and c.inbox_id = :inbox and c.message_id = :message
                order by c.at limit :most""")
                .bind("inbox", message.place().inbox())
                .bind("message", message.name())
                .bind("most", MOST)
                .list(row -> JsonObject.of("request_id", row.text("request_id"))
                        .with("api_key_id", row.uuid("api_key_id"))
                        .with("name", row.textOrNull("name"))
                        .with("method", row.text("method"))
                        .with("route", row.text("route"))
                        .with("at", row.instant("at")));
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
