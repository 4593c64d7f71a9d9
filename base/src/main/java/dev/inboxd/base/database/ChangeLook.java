package dev.inboxd.base.database;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * How a change of an organization becomes known to those who look for due work (decision 0074). The first transaction
 * that changes an organization after a look adds a row {@link #CHANGE} to {@code due_work} and the same time to the
 * clock's row, which every writer locks and reads: the next ones see there that the row exists, and add nothing.
 */
public final class ChangeLook {
    /** The kind of the row that says that something has changed; all other kinds are made of it by a look. */
    public static final String CHANGE = "change";

    static final RowStatement<Instant> NOTE = RowStatement.of("""
            insert into due_work as d (organization_id, kind, due_at)
            select {organization}, 'change', r.at from {rows} as r
            on conflict (organization_id, kind)
            do update set due_at = least(d.due_at, excluded.due_at)""", RowStatement.time("at", at -> at));

    private volatile int seconds;
    private volatile Consumer<UUID> changeListener = _ -> {};

    ChangeLook() {}

    /**
     * Sets who is told of changes of this process, and how long nobody else has to look at them. A process that tells
     * nobody has its changes looked at by any node, at once.
     *
     * @param interval until any node looks, in whole seconds
     * @param listener is called after a commit with the organization; must not block
     */
    public void setListener(Duration interval, Consumer<UUID> listener) {
        changeListener = listener;
        seconds = Math.toIntExact(interval.toSeconds());
    }

    int seconds() {
        return seconds;
    }

    void changed(UUID organization) {
        changeListener.accept(organization);
    }
}
