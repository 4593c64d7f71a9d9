package dev.inboxd.sandbox.fault;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of faults. */
final class FaultSql {
    private static final String SELECT = "select f.organization_id, f.fault_id, f.terms, f.remaining, f.ends_at,"
            + " f.created_at from sandbox_fault f";
    private static final String ORDER = " order by f.created_at, f.fault_id";

    private FaultSql() {}

    /** Those of an organization, the oldest first. */
    static List<WorldFault> list(Tx tx, View all) {
        return tx.sql(all, SELECT + " where f.organization_id = {organization}" + ORDER)
                .list(FaultSql::read);
    }

    /** Those of all organizations, the oldest first. */
    static List<WorldFault> everywhere(Tx tx) {
        return tx.sqlAcrossTenants(SELECT + ORDER).list(FaultSql::read);
    }

    static void insert(Tx tx, View all, WorldFault fault) {
        tx.sql(all, """
                insert into sandbox_fault (organization_id, fault_id, terms, remaining, ends_at, created_at)
                values ({organization}, :fault, :terms, :remaining, :ends, :at)""")
                .bind("fault", fault.id())
                .bind("terms", fault.terms().stored())
                .bind("remaining", fault.left())
                .bind("ends", fault.endsAt())
                .bind("at", fault.createdAt())
                .run();
    }

    /** Counts that it was met, and says how often it still will be; empty when it has ended. */
    static Optional<Integer> take(Tx tx, View all, UUID fault) {
        Optional<Integer> left = tx.sql(
                        all,
                        "update sandbox_fault f set remaining = f.remaining - 1"
                                + " where f.organization_id = {organization} and f.fault_id = :fault"
                                + " and f.remaining > 0 returning f.remaining")
                .bind("fault", fault)
                .first(row -> row.integer("remaining"));
        if (left.equals(Optional.of(0))) {
            delete(tx, all, fault);
        }
        return left;
    }

    static boolean delete(Tx tx, View all, UUID fault) {
        return tx.sql(
                                all,
                                "delete from sandbox_fault f where f.organization_id = {organization}"
                                        + " and f.fault_id = :fault")
                        .bind("fault", fault)
                        .run()
                > 0;
    }

    static void deleteAll(Tx tx, View all) {
        tx.sql(all, "delete from sandbox_fault f where f.organization_id = {organization}")
                .run();
    }

    static void deleteOver(Tx tx, View all, Instant real) {
        tx.sql(all, "delete from sandbox_fault f where f.organization_id = {organization} and f.ends_at <= :real")
                .bind("real", real)
                .run();
    }

    static int count(Tx tx, View all) {
        return tx.sql(all, "select count(*) as n from sandbox_fault f where f.organization_id = {organization}")
                .single(row -> row.integer("n"));
    }

    static boolean hasWebhook(Tx tx, View all, String webhook) {
        return tx.sql(
                        all,
                        "select 1 as one from webhook w where w.organization_id = {organization}"
                                + " and w.webhook_id = :webhook")
                .bind("webhook", webhook)
                .exists();
    }

    private static WorldFault read(Row row) {
        return new WorldFault(
                row.uuid("organization_id"),
                row.uuid("fault_id"),
                FaultTermsReader.of(row.text("terms")),
                row.integerOrNull("remaining"),
                row.instantOrNull("ends_at"),
                row.instant("created_at"));
    }
}
