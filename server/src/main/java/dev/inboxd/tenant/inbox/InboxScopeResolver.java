package dev.inboxd.tenant.inbox;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.ScopeResolver;
import dev.inboxd.base.id.Uuid7;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Resolves the inbox or the pod in a path within the caller's view, and narrows the view to it. */
public final class InboxScopeResolver implements ScopeResolver {
    private final Database database;

    /** Resolves paths into the inboxes of a database. */
    public InboxScopeResolver(Database database) {
        this.database = database;
    }

    @Override
    public ResolvedScope narrow(Caller caller, Level level, String id) {
        return level == Level.POD ? new ResolvedScope(pod(caller.view(), id), null) : inbox(caller.view(), id);
    }

    private ResolvedScope inbox(View view, String id) {
        Inbox inbox = database.read(tx -> find(tx, view, id)).orElseThrow(() -> Problem.notFound("Inbox"));
        return new ResolvedScope(view.inbox(inbox.id()), inbox);
    }

    @Override
    public ScopePrefetch prefetch(Level level, String id) {
        return level == Level.INBOX ? new PathLookup(id) : ScopeResolver.super.prefetch(level, id);
    }

    /** A look-up of an inbox in the whole organization, which runs before the caller's view is known. */
    private final class PathLookup implements ScopePrefetch {
        private final String id;
        private RoundTrip.@Nullable Result<Inbox> pending;

        private PathLookup(String id) {
            this.id = id;
        }

        @Override
        public void prefetch(RoundTrip trip, UUID organization) {
            pending = InboxScopeResolver.prefetch(trip, View.of(organization), id);
        }

        @Override
        public ResolvedScope resolve(Caller caller) {
            if (pending == null) {
                return inbox(caller.view(), id);
            }
            Inbox inbox = pending.rows().stream()
                    .filter(candidate -> caller.view().holds(candidate.pod(), candidate.id()))
                    .findFirst()
                    .orElseThrow(() -> Problem.notFound("Inbox"));
            return new ResolvedScope(caller.view().inbox(inbox.id()), inbox);
        }
    }

    /** Finds an inbox by its address, or by its client_id, which never has an {@code @} (mail.md §1.2). */
    public static Optional<Inbox> find(Tx tx, View view, String id) {
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<Inbox> result = prefetch(trip, view, id);
        trip.run();
        return result.rows().stream().findFirst();
    }

    private static RoundTrip.Result<Inbox> prefetch(RoundTrip trip, View view, String id) {
        return id.indexOf('@') < 0
                ? InboxSql.prefetchByClientId(trip, view, id)
                : InboxSql.prefetchByAddress(trip, view, id.strip().toLowerCase(Locale.ROOT));
    }

    private View pod(View view, String id) {
        return database.read(tx -> findPod(tx, view, id)).map(view::pod).orElseThrow(() -> Problem.notFound("Pod"));
    }

    /** A pod that the view shows, by its public id, in the caller's transaction. */
    public static Optional<UUID> findPod(Tx tx, View view, String id) {
        UUID pod = Uuid7.parse(id);
        return pod == null
                ? Optional.empty()
                : tx.sql(view, "select p.pod_id from pod p where {p} and p.pod_id = :id")
                        .bind("id", pod)
                        .first(row -> row.uuid("pod_id"));
    }
}
