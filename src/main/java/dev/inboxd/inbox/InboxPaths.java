package dev.inboxd.inbox;

import dev.inboxd.access.Caller;
import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Problem;
import dev.inboxd.http.Level;
import dev.inboxd.http.Narrowing;
import dev.inboxd.id.Uuid7;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Finds the inbox or the pod that a path names, inside what the caller may see, and narrows the view to it. */
public final class InboxPaths implements Narrowing {
    private final Database database;

    /** Paths into the inboxes of a database. */
    public InboxPaths(Database database) {
        this.database = database;
    }

    @Override
    public View narrow(Caller caller, Level level, String id) {
        return level == Level.POD ? pod(caller.view(), id) : inbox(caller.view(), id);
    }

    private View inbox(View view, String id) {
        Inbox inbox = database.read(tx -> find(tx, view, id)).orElseThrow(() -> Problem.notFound("Inbox"));
        return view.inbox(inbox.id());
    }

    /** By its address, or by the caller's own alias, which never holds an {@code @} (contract: mail.md §1.2). */
    public static Optional<Inbox> find(Tx tx, View view, String id) {
        return id.indexOf('@') < 0
                ? InboxSql.findByClientId(tx, view, id)
                : InboxSql.findByAddress(tx, view, id.toLowerCase(Locale.ROOT));
    }

    private View pod(View view, String id) {
        return database.read(tx -> findPod(tx, view, id)).map(view::pod).orElseThrow(() -> Problem.notFound("Pod"));
    }

    /** A pod that the view shows, by its public id, in the caller's transaction. */
    public static Optional<UUID> findPod(Tx tx, View view, String id) {
        UUID pod = Uuid7.parse(id);
        return pod == null ? Optional.empty()
                : tx.sql(view, "select p.pod_id from pod p where {p} and p.pod_id = :id")
                        .bind("id", pod).first(row -> row.uuid("pod_id"));
    }
}
