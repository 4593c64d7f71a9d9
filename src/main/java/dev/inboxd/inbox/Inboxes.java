package dev.inboxd.inbox;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/** What can be done with inboxes. */
public final class Inboxes {
    /** Adds a look-up of inboxes that exist to a round trip. */
    public static RoundTrip.Pending<Inbox> look(RoundTrip trip, View view, Collection<UUID> ids) {
        return InboxSql.look(trip, view, ids);
    }

    /** An inbox by its key, in the caller's transaction. */
    public static Optional<Inbox> find(Tx tx, View view, UUID id) {
        return InboxSql.find(tx, view, id);
    }
}
