package dev.inboxd.tenant.pod;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The pod rows. */
final class PodSql {
    private static final String SELECT = """
            select p.pod_id, p.name, p.description, p.client_id, p.is_default, p.sending_stopped_at,
                   p.created_at, p.updated_at,
                   array(select i.address from inbox i
                         where i.organization_id = {organization} and i.pod_id = p.pod_id and not i.deleting
                         order by i.created_at, i.inbox_id limit 1000) as inboxes
            from pod p where {p}""";
    private static final KeysetList LIST = KeysetList.byTimeAndId("p.created_at", "p.pod_id");

    private PodSql() {}

    static Optional<Pod> find(Tx tx, View view, UUID id) {
        return tx.sql(view, SELECT + " and p.pod_id = :id").bind("id", id).first(PodSql::read);
    }

    static Optional<Pod> findByClientId(Tx tx, View view, String clientId) {
        return tx.sql(view, SELECT + " and p.client_id = :client")
                .bind("client", clientId)
                .first(PodSql::read);
    }

    static List<Pod> list(Tx tx, View view, PageRequest page) {
        return LIST.page(tx, view, SELECT, page).list(PodSql::read);
    }

    static int count(Tx tx, View view) {
        return tx.sql(view, "select count(*) as n from pod p where {p}").single(row -> row.integer("n"));
    }

    static void insert(Tx tx, View view, Pod pod) {
        tx.sql(view, """
                insert into pod (organization_id, pod_id, name, description, client_id, is_default, created_at,
                                 updated_at)
                values ({organization}, :id, :name, :description, :client, false, :now, :now)""")
                .bind("id", pod.id())
                .bind("name", pod.name())
                .bind("description", pod.description())
                .bind("client", pod.clientId())
                .bind("now", pod.createdAt())
                .run();
    }

    static void update(Tx tx, View view, Pod pod, Instant now) {
        tx.sql(
                        view,
                        "update pod p set name = :name, description = :description, updated_at = :now"
                                + " where {p} and p.pod_id = :id")
                .bind("id", pod.id())
                .bind("name", pod.name())
                .bind("description", pod.description())
                .bind("now", now)
                .run();
    }

    /** Stops all that leaves the pod; a repetition keeps the first time. */
    static int stopSending(Tx tx, View view, UUID id, Instant now) {
        return tx.sql(
                        view,
                        "update pod p set sending_stopped_at = :now, updated_at = :now"
                                + " where {p} and p.pod_id = :id and p.sending_stopped_at is null")
                .bind("id", id)
                .bind("now", now)
                .run();
    }

    /** Lets mail leave again. */
    static int resumeSending(Tx tx, View view, UUID id, Instant now) {
        Jobs.hasten(tx, view.organization()); // what waits behind the stop leaves at once
        return tx.sql(
                        view,
                        "update pod p set sending_stopped_at = null, updated_at = :now"
                                + " where {p} and p.pod_id = :id and p.sending_stopped_at is not null")
                .bind("id", id)
                .bind("now", now)
                .run();
    }

    static void delete(Tx tx, View view, UUID id) {
        tx.sql(view, "delete from pod p where {p} and p.pod_id = :id")
                .bind("id", id)
                .run();
    }

    private static Pod read(Row row) {
        return new Pod(
                row.uuid("pod_id"),
                row.text("name"),
                row.textOrNull("description"),
                row.textOrNull("client_id"),
                row.flag("is_default"),
                row.instantOrNull("sending_stopped_at"),
                row.texts("inboxes"),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
