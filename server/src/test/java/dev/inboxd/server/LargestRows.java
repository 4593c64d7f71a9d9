package dev.inboxd.server;

import dev.inboxd.base.database.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Fills the tables that lists read with rows as large as a caller can make them, by SQL: through the API it would take
 * many minutes. Each row is a copy of one that the API made, with its long members as long as the API takes them.
 */
final class LargestRows implements AutoCloseable {
    /** A text of many characters that PostgreSQL keeps small. */
    private static final String LABELS = "(select array_agg(rpad('l' || n, 128, 'x')) from generate_series(1, %d) n)";

    private final Connection connection;
    private final int copies;
    private int number;

    /** @param copies how many rows of each kind */
    LargestRows(Database.Location location, int copies) throws SQLException {
        this.connection = DriverManager.getConnection(location.url(), location.user(), location.password());
        this.copies = copies;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Copies of everything in an inbox, and of what stands beside it in the organization. */
    void make(String inbox) throws SQLException {
        String its = "x.inbox_id = (select i.inbox_id from inbox i where i.address = '" + inbox + "')";
        inboxes("x.address = '" + inbox + "'");
        mail(its);
        drafts(its);
        calendars(its);
        others(its);
        records(its);
        run("analyze");
    }

    private void inboxes(String one) throws SQLException {
        String metadata = "(select jsonb_object_agg(rpad('m' || n, 256, 'é'), rpad('v', 256, 'é'))"
                + " from generate_series(1, 256) n)";
        run("update inbox x set metadata = " + metadata + ", display_name = rpad('d', 255, 'é') where " + one);
        copy(
                "inbox",
                one,
                Map.of(
                        "inbox_id", "md5(g || x.inbox_id::text)::uuid",
                        "address", "'copy-' || g || x.address",
                        "client_id", "null",
                        "created_at", "x.created_at - g * interval '1 ms'"));
    }

    private void mail(String its) throws SQLException {
        String people = "(select array_agg(rpad('Name' || n, 60, 'é') || ' <a' || n || '@'"
                + " || rpad('h', 60, 'h') || '.test>')"
                + " from generate_series(1, %d) n)";
        run("update message x set labels = x.labels || " + LABELS.formatted(95) + ", recipients_to = "
                + people.formatted(600) + ", attachments = 100 where " + its);
        run("update thread x set senders = " + people.formatted(1_000) + ", recipients = " + people.formatted(1_000)
                + ", labels = x.labels || " + LABELS.formatted(1_000) + ", attachments = 100, message_count = " + copies
                + " where " + its);
        run("update attachment x set filename = rpad('f', 255, 'é'), content_id = rpad('c', 255, 'c') where " + its);
        copy("attachment", its, 99, Map.of("attachment_id", "md5(g || x.attachment_id::text)::uuid", "part", "g + 1"));
        // Messages of one thread, whose texts are long, and threads of one message.
        received(its, "'<copy-' || g || '@x.test>'");
        copy(
                "attachment",
                its + ofMessages("not m.outgoing") + " and x.part < 40",
                copies / 10,
                Map.of(
                        "attachment_id",
                        "md5(g || x.attachment_id::text)::uuid",
                        "message_id",
                        "md5('m' || g || x.message_id)::uuid"));
        copy(
                "thread",
                its,
                Map.of(
                        "thread_id", "md5('t' || g || x.thread_id)::uuid",
                        "at", "x.at - g * interval '1 ms'"));
        copy(
                "attachment",
                its + ofMessages("m.outgoing") + " and x.part < 60",
                copies / 10,
                Map.of(
                        "attachment_id",
                        "md5(g || x.attachment_id::text)::uuid",
                        "thread_id",
                        "md5('t' || g || x.thread_id)::uuid"));
    }

    /** Copies of all received messages of an inbox, in their threads. */
    void receivedIn(String inbox) throws SQLException {
        received(
                "x.inbox_id = (select i.inbox_id from inbox i where i.address = '" + inbox + "')",
                "'<copy-' || g || '-' || x.message_id || '@x.test>'");
        run("analyze");
    }

    private void received(String its, String name) throws SQLException {
        copy(
                "message",
                its + " and not x.outgoing",
                Map.of(
                        "message_id", "md5('m' || g || x.message_id)::uuid",
                        "name", name,
                        "labels", "to_jsonb(x.labels)",
                        "created_at", "x.created_at - g * interval '1 ms'"));
        copy(
                "message_content",
                its + ofMessages("not m.outgoing"),
                Map.of("message_id", "md5('m' || g || x.message_id)::uuid"));
    }

    private static String ofMessages(String which) {
        return " and x.message_id in (select m.message_id from message m where " + which + ")";
    }

    private void drafts(String its) throws SQLException {
        String people = "(select array_agg(rpad('Name' || n, 2000, 'é') || ' <a' || n || '@h.test>')"
                + " from generate_series(1, 50) n)";
        run("update draft x set labels = x.labels || " + LABELS.formatted(99) + ", recipients_to = " + people
                + ", recipients_cc = " + people + ", subject = rpad('s', 998, 'é'),"
                + " text_body = rpad('t', 2000000, 'é')"
                + " where " + its);
        run("update draft_attachment x set filename = rpad('f', 255, 'é'), content_id = rpad('c', 255, 'c') where "
                + its);
        copy(
                "draft_attachment",
                its,
                99,
                Map.of("attachment_id", "md5(g || x.attachment_id::text)::uuid", "position", "g + 1"));
        copy(
                "draft",
                its,
                Map.of(
                        "draft_id", "md5('d' || g || x.draft_id)::uuid",
                        "updated_at", "x.updated_at - g * interval '1 ms'"));
        copy(
                "draft_attachment",
                its,
                copies / 5,
                Map.of(
                        "attachment_id",
                        "md5(g || x.attachment_id::text)::uuid",
                        "draft_id",
                        "md5('d' || g || x.draft_id)::uuid"));
    }

    private void calendars(String its) throws SQLException {
        String attendees = "(select jsonb_agg(jsonb_build_object('email', 'a' || n || '@x.test', 'name',"
                + " rpad('n', 256, 'é'), 'status', 'needs_action', 'comment', rpad('c', 4096, 'é')))"
                + " from generate_series(1, 100) n)";
        run("update calendar_event x set content = x.content || jsonb_build_object('description',"
                + " rpad('d', 32000, 'é'), 'title', rpad('t', 1000, 'é'), 'location', rpad('l', 1024, 'é'),"
                + " 'metadata', jsonb_build_object('m', rpad('m', 16000, 'm')), 'attendees', " + attendees + ") where "
                + its);
        copy(
                "calendar_event",
                its,
                copies / 3,
                Map.of(
                        "event_id", "md5(g || x.event_id::text)::uuid",
                        "uid", "x.uid || g",
                        "updated_at", "x.updated_at - g * interval '1 ms'"));
    }

    private void others(String its) throws SQLException {
        copy(
                "delivery_attempt",
                "true",
                50,
                Map.of(
                        "at", "x.at - g * interval '1 ms'",
                        "error", "rpad('e', 1024, 'e')",
                        "answer", "rpad('a', 1024, 'a')"));
        run("update pod x set description = rpad('d', 1024, 'é')");
        copy(
                "pod",
                "not x.is_default",
                30,
                Map.of(
                        "pod_id",
                        "md5(g || x.pod_id::text)::uuid",
                        "client_id",
                        "null",
                        "created_at",
                        "x.created_at - g * interval '1 ms'"));
        copy(
                "webhook",
                "not x.polling",
                20,
                Map.of(
                        "webhook_id", "'ep_' || md5(g || x.webhook_id)",
                        "url", "'https://h.test/' || rpad('u', 2000, 'u')",
                        "enabled", "false",
                        "client_id", "null"));
        copy(
                "event",
                "x.seq = (select min(m.seq) from event m where m.type like 'message.received%')",
                Map.of("seq", "1000000000 + g"));
        run("insert into delivery (organization_id, seq, webhook_id, payload, position, created_at)"
                + " select e.organization_id, e.seq, w.webhook_id, "
                + "convert_to('{\"p\":\"' || rpad('', 400000, 'p') || '\"}',"
                + " 'UTF8'), e.seq - 1000000000, e.at from event e, webhook w where e.seq > 1000000000"
                + " and w.client_id = 'queue'");
        copy("list_entry", "true", 300, Map.of("entry", "'e' || g || '.' || x.entry", "reason", "rpad('r', 512, 'é')"));
        copy(
                "api_key",
                "true",
                10,
                Map.of(
                        "api_key_id", "md5(g || x.api_key_id::text)::uuid",
                        "name", "rpad('n', 256, 'é')",
                        "hash", "null",
                        "client_id", "null"));
        run("insert into approval_exemption select x.organization_id, x.inbox_id, 'a' || g || '@'"
                + " || rpad('h', 240, 'h'),"
                + " x.created_at from inbox x, generate_series(1, 1000) g where " + its);
    }

    /** What is noted of calls and changes; an earlier revision took entries of a megabyte. */
    private void records(String its) throws SQLException {
        run("insert into audit_entry (organization_id, entry_id, at, actor, actor_name, action, target, details, size)"
                + " select x.organization_id, gen_random_uuid(), x.created_at, 'api_key', rpad('n', 256, 'é'),"
                + " 'api_key.updated', rpad('t', 255, 't'),"
                + " '{\"fields\":[\"' || rpad('f', 1000000, 'f') || '\"]}', 0"
                + " from inbox x, generate_series(1, 300) where " + its);
        run("insert into key_request (organization_id, api_key_id, request_id, at, method, route, status, code,"
                + " millis, address) select k.organization_id, k.api_key_id, rpad('r' || g, 200, 'r'), k.created_at,"
                + " 'GET', '/v0/' || rpad('r', 200, 'r'), 404, 'not_found', 1, '::1'"
                + " from api_key k, generate_series(1, 1000) g");
        run("insert into message_call (organization_id, inbox_id, message_id, request_id, api_key_id, at,"
                + " method, route)"
                + " select m.organization_id, m.inbox_id, m.name, rpad('r' || g, 200, 'r'), gen_random_uuid(),"
                + " m.created_at, 'GET', '/v0/' || rpad('r', 200, 'r')"
                + " from (select x.* from message x where " + its + " limit 1) m, generate_series(1, 1000) g");
        run("insert into dropped_message (organization_id, inbox_id, dropped_id, sender, dropped_at)"
                + " select x.organization_id, x.inbox_id, gen_random_uuid(), rpad('a', 250, 'a') || '@x.test',"
                + " x.created_at from inbox x, generate_series(1, 10000) where " + its);
        copy("domain", "true", 100, Map.of("domain", "g || '.' || x.domain", "client_id", "null"));
        run("insert into organization (organization_id, type, human_email, created_at, updated_at)"
                + " select gen_random_uuid(), 'agent_unverified', rpad('h', 240, 'h') || '@h.test', now(), now()"
                + " from generate_series(1, 20000)");
    }

    private void copy(String table, String which, Map<String, String> changes) throws SQLException {
        copy(table, which, copies, changes);
    }

    /** Copies rows with other values in some columns. */
    private void copy(String table, String which, int times, Map<String, String> changes) throws SQLException {
        String members = changes.entrySet().stream()
                .map(each -> "'" + each.getKey() + "', " + each.getValue())
                .collect(Collectors.joining(", "));
        run("insert into " + table + " select r.* from " + table + " x, generate_series(1, " + times + ") g,"
                + " jsonb_populate_record(x, jsonb_build_object("
                + members.replace("md5(g ", "md5('" + ++number + " ' || g ") + ")) r where (" + which + ")");
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
