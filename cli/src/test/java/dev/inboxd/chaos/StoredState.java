package dev.inboxd.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the service really holds, read from its database beside it.
 *
 * @param mails how often each inbox holds each subject, keyed {@code address subject}
 * @param inboxes how many inboxes there are of each client id
 * @param names the display names of inboxes, by address
 * @param sent how often there is a record of each subject that was sent from here
 * @param labels how many messages carry each label
 * @param halfVisible what is there without what belongs to it, in words
 */
record StoredState(
        Map<String, Integer> mails,
        Map<String, Integer> inboxes,
        Map<String, String> names,
        Map<String, Integer> sent,
        Map<String, Integer> labels,
        List<String> halfVisible) {
    /** What must never be found, each with the words for it. */
    private static final Map<String, String> NEVER = Map.ofEntries(
            Map.entry("a message without its content", """
                    select m.name from message m where not exists (select from message_content c
                        where c.organization_id = m.organization_id and c.message_id = m.message_id)"""),
            Map.entry("content without its message", """
                    select c.message_id::text from message_content c where not exists (select from message m
                        where m.organization_id = c.organization_id and m.message_id = c.message_id)"""),
            Map.entry("a thread that miscounts its messages", """
                    select t.thread_id::text from thread t where t.message_count <> (select count(*) from message m
                        where m.organization_id = t.organization_id and m.thread_id = t.thread_id)"""),
            Map.entry("a message without its thread", """
                    select m.name from message m where not exists (select from thread t
                        where t.organization_id = m.organization_id and t.thread_id = m.thread_id)"""),
            Map.entry("a received message without its one event", """
                    select m.name from message m where not m.outgoing and 1 <> (select count(*) from event e
                        where e.organization_id = m.organization_id and e.message_id = m.message_id
                          and e.type like 'message.received%')"""),
            Map.entry("an event of a message that is not there", """
                    select e.message_name from event e where e.message_id is not null and not exists (
                        select from message m where m.organization_id = e.organization_id
                        and m.message_id = e.message_id)"""),
            Map.entry("an inbox without its address, or an address without its inbox", """
                    select coalesce(i.address, a.address) from (select * from inbox where not deleting) i
                        full join (select * from address where inbox_id is not null) a using (inbox_id)
                        where i.address is distinct from a.address"""),
            Map.entry("an event beyond its organization's clock", """
                    select e.seq::text from event e join organization_clock k using (organization_id)
                        where e.seq > k.event_seq or e.at > k.last_at"""),
            Map.entry("two messages of one moment", """
                    select min(m.name) from message m group by m.organization_id, m.created_at having count(*) > 1"""),
            Map.entry("a label without its one event", """
                    select m.name || ' ' || l from message m, unnest(m.labels) as l where 1 <> (
                        select count(*) from event e where e.organization_id = m.organization_id
                        and e.message_id = m.message_id
                          and l = any (e.labels) and e.type <> 'label.removed')"""),
            Map.entry("a sent message without its place in the queue", """
                    select m.name from message m where m.outgoing and 1 <> (select count(*) from submission s
                        where s.organization_id = m.organization_id and s.message_id = m.message_id)"""),
            Map.entry("a message in the queue that is not there", """
                    select s.message_id::text from submission s where s.message_id is not null and not exists (
                        select from message m where m.organization_id = s.organization_id
                          and m.message_id = s.message_id)"""));

    StoredState {
        mails = Map.copyOf(mails);
        inboxes = Map.copyOf(inboxes);
        names = Map.copyOf(names);
        sent = Map.copyOf(sent);
        labels = Map.copyOf(labels);
        halfVisible = List.copyOf(halfVisible);
    }

    /** Reads it all beside the embedded database; the service is up. */
    static StoredState of(Path data) {
        try (Connection connection = connect(data)) {
            return of(connection, data.resolve("blobs"));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Reads it all from a database, whose large messages are in that folder. */
    static StoredState of(Connection connection, Path blobs) {
        try (Statement statement = connection.createStatement()) {
            Map<String, Integer> mails = counts(statement, """
                    select i.address || ' ' || m.subject, count(*)
                    from message m join inbox i using (organization_id, inbox_id) where not m.outgoing group by 1""");
            Map<String, Integer> sent =
                    counts(statement, "select subject, count(*) from message where outgoing group by 1");
            Map<String, Integer> labels =
                    counts(statement, "select l, count(*) from message, unnest(labels) as l group by 1");
            Map<String, Integer> inboxes = counts(
                    statement,
                    "select client_id, count(*) from inbox where client_id is not null and not deleting group by 1");
            Map<String, String> names = new HashMap<>();
            try (ResultSet rows =
                    statement.executeQuery("select address, display_name from inbox where display_name is not null")) {
                while (rows.next()) {
                    names.put(rows.getString(1), rows.getString(2));
                }
            }
            return new StoredState(mails, inboxes, names, sent, labels, halfVisible(statement, blobs));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The database beside the service. */
    static Connection connect(Path data) throws SQLException {
        String port = read(data.resolve("postgres.port"));
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/inboxd", "inboxd", read(data.resolve("postgres.password")));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Map<String, Integer> counts(Statement statement, String sql) throws SQLException {
        Map<String, Integer> counts = new HashMap<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                counts.put(rows.getString(1), rows.getInt(2));
            }
        }
        return counts;
    }

    private static List<String> halfVisible(Statement statement, Path blobs) throws SQLException {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, String> never : NEVER.entrySet()) {
            try (ResultSet rows = statement.executeQuery(never.getValue())) {
                while (rows.next()) {
                    found.add(never.getKey() + ": " + rows.getString(1));
                }
            }
        }
        try (ResultSet rows =
                statement.executeQuery("select organization_id, blob from message_content where blob is not null")) {
            while (rows.next()) {
                String name = rows.getString(2);
                Path blob = blobs.resolve(Path.of(rows.getString(1), name.substring(0, 2), name));
                if (!Files.exists(blob)) {
                    found.add("a message without its blob: " + name);
                }
            }
        }
        return found;
    }
}
