package dev.inboxd.base.job;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The statements on the marks of an installation and its organizations. */
final class MarkSql {
    private MarkSql() {}

    /**
     * The marks of now. Those of organizations are read when the number tells of a change.
     *
     * @param previous those that were read before, or null
     */
    static Marks find(Tx tx, @Nullable Marks previous) {
        Marks marks = tx.sql("""
                select i.marks, i.held_at, i.held_for, i.read_only_at, i.moved_to
                from installation i where i.name = 'inboxd'""")
                .first(row -> {
                    Instant held = row.instantOrNull("held_at");
                    String reason = row.textOrNull("held_for");
                    return new Marks(
                            row.longer("marks"),
                            held == null ? null : new Marks.Hold(held, reason == null ? "hold" : reason),
                            row.instantOrNull("read_only_at"),
                            row.textOrNull("moved_to"),
                            Map.of());
                })
                .orElse(new Marks(0, null, null, null, Map.of())); // before the first start has made it
        if (previous != null && previous.number() == marks.number()) {
            return previous;
        }
        return new Marks(marks.number(), marks.hold(), marks.readOnlyAt(), marks.movedTo(), organizations(tx));
    }

    private static Map<UUID, OrganizationMark> organizations(Tx tx) {
        Map<UUID, OrganizationMark> marks = new HashMap<>();
        tx.sqlAcrossTenants("select m.organization_id, m.state, m.moved_to from organization_mark m")
                .list(row -> Map.entry(
                        row.uuid("organization_id"),
                        new OrganizationMark(OrganizationMark.State.of(row.text("state")), row.textOrNull("moved_to"))))
                .forEach(entry -> marks.put(entry.getKey(), entry.getValue()));
        return Map.copyOf(marks);
    }

    /** Holds what leaves, unless it is held already. */
    static int hold(Tx tx, String reason) {
        return tx.sql("""
                update installation set held_at = statement_timestamp(), held_for = :reason, marks = marks + 1
                where name = 'inboxd' and held_at is null""").bind("reason", reason).run();
    }

    static int resume(Tx tx) {
        return tx.sql("""
                update installation set held_at = null, held_for = null, marks = marks + 1
                where name = 'inboxd' and held_at is not null""").run();
    }

    static int readOnly(Tx tx) {
        return tx.sql("""
                update installation set read_only_at = statement_timestamp(), marks = marks + 1
                where name = 'inboxd' and read_only_at is null""").run();
    }

    static int writable(Tx tx) {
        return tx.sql("""
                update installation set read_only_at = null, marks = marks + 1
                where name = 'inboxd' and read_only_at is not null""").run();
    }

    static int moved(Tx tx, String target) {
        return tx.sql("""
                update installation set moved_at = statement_timestamp(), moved_to = :target, marks = marks + 1
                where name = 'inboxd' and moved_to is null""").bind("target", target).run();
    }

    /** From now on no writer of an organization commits here, however late it comes. */
    static int close(Tx tx, String target) {
        return tx.sqlAcrossTenants("update organization_clock k set moved_to = :target where k.moved_to is null")
                .bind("target", target)
                .run();
    }

    static int close(Tx tx, UUID organization, String target) {
        return tx.sql(View.of(organization), "update organization_clock k set moved_to = :target where {k}")
                .bind("target", target)
                .run();
    }

    static int open(Tx tx, UUID organization) {
        return tx.sql(
                        View.of(organization),
                        "update organization_clock k set moved_to = null where {k} and k.moved_to is not null")
                .run();
    }

    /** In a copy of an installation that had moved, all may be written that did not move by themselves. */
    static int open(Tx tx) {
        return tx.sqlAcrossTenants("update organization_clock k set moved_to = null where k.moved_to is not null"
                        + " and not exists (select 1 from organization_mark m"
                        + " where m.organization_id = k.organization_id and m.state = 'moved')")
                .run();
    }

    /** A change of an organization's mark, which the processes notice by the number of the installation. */
    static void count(Tx tx) {
        tx.sql("update installation set marks = marks + 1 where name = 'inboxd'")
                .run();
    }

    static void mark(Tx tx, UUID organization, OrganizationMark mark) {
        tx.sql(View.of(organization), """
                insert into organization_mark as m (organization_id, state, moved_to, at)
                values ({organization}, :state, :target, statement_timestamp())
                on conflict (organization_id) do update
                set state = excluded.state, moved_to = excluded.moved_to, at = excluded.at""")
                .bind("state", mark.state().wireName())
                .bind("target", mark.movedTo())
                .run();
    }

    static void unmark(Tx tx, UUID organization) {
        tx.sql(View.of(organization), "delete from organization_mark m where {m}")
                .run();
    }

    /** The living processes that have not said yet that they go by these marks. */
    static int behind(Tx tx, long number) {
        return tx.sql("select count(*)::int as behind from node n where n.marks < :number"
                        + " and n.seen_at > statement_timestamp() - make_interval(secs => 15)")
                .bind("number", number)
                .single(row -> row.integer("behind"));
    }
}
