package dev.inboxd.base.job.upkeep;

import dev.inboxd.base.database.Tx;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of work that one node does for the whole installation. */
final class UpkeepSql {
    private UpkeepSql() {}

    /**
     * Times of a beginning.
     *
     * @param until when others may take it for given up
     * @param last the latest end of the time before that allows another beginning
     */
    record Times(Instant now, Instant until, Instant last) {}

    /** Begins, unless somebody is at it or it was done a while ago. */
    static boolean begin(Tx tx, String name, UUID holder, Times times) {
        return tx.sql("""
                        insert into upkeep as u (name, holder, held_until) values (:name, :holder, :until)
                        on conflict (name) do update set holder = :holder, held_until = :until
                        where (u.held_until is null or u.held_until <= :now)
                          and (u.done_at is null or u.done_at <= :last)""")
                        .bind("name", name)
                        .bind("holder", holder)
                        .bind("now", times.now)
                        .bind("until", times.until)
                        .bind("last", times.last)
                        .run()
                == 1;
    }

    /** Goes on; false when another has begun since. */
    static boolean extend(Tx tx, String name, UUID holder, Instant until) {
        return tx.sql("update upkeep set held_until = :until where name = :name and holder = :holder")
                        .bind("until", until)
                        .bind("name", name)
                        .bind("holder", holder)
                        .run()
                == 1;
    }

    /**
     * Ends.
     *
     * @param done when it was done; null when it did not come to its end
     */
    static boolean end(Tx tx, String name, UUID holder, @Nullable Instant done) {
        return tx.sql("update upkeep as u set holder = null, held_until = null, done_at = coalesce(:done, u.done_at)"
                                + " where u.name = :name and u.holder = :holder")
                        .bind("done", done)
                        .bind("name", name)
                        .bind("holder", holder)
                        .run()
                == 1;
    }
}
