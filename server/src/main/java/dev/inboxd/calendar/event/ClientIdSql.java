package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.series.CalendarTx;
import java.util.Optional;
import java.util.UUID;

/** The rows of client_ids, which outlive their events. */
final class ClientIdSql {
    private ClientIdSql() {}

    /** What a client_id was used for. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record UsedClientId(UUID event, byte[] hash, String operation) {}

    public static Optional<UsedClientId> find(Tx tx, View inbox, String clientId) {
        return tx.sql(
                        inbox,
                        "select c.event_id, c.body_hash, c.operation from calendar_client_id c"
                                + " where {c} and c.client_id = :client")
                .bind("client", clientId)
                .first(row -> new UsedClientId(row.uuid("event_id"), row.bytes("body_hash"), row.text("operation")));
    }

    static void insert(CalendarTx change, String clientId, byte[] hash, UUID event) {
        change.tx()
                .sql(change.all(), """
                insert into calendar_client_id (organization_id, inbox_id, client_id, pod_id, event_id, body_hash,
                                                operation)
                values ({organization}, :inbox, :client, :pod, :event, :hash, :operation)""")
                .bind("inbox", change.inbox().id())
                .bind("client", clientId)
                .bind("pod", change.inbox().pod())
                .bind("event", event)
                .bind("hash", hash)
                .bind("operation", change.operation())
                .run();
    }
}
