package dev.inboxd.sandbox.person;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of rules. */
final class RecipientRuleSql {
    private static final String SELECT = """
            select u.rule_id, u.match, u.inbox_id, u.script, u.times, u.hits, u.created_at,
                   (select i.address from inbox i
                    where i.organization_id = {organization} and i.inbox_id = u.inbox_id) as inbox_name
            from sandbox_rule u where u.organization_id = {organization}""";

    private RecipientRuleSql() {}

    static List<RecipientRule> list(Tx tx, View all) {
        return tx.sql(all, SELECT + " order by u.created_at desc, u.rule_id desc")
                .list(RecipientRuleSql::read);
    }

    /** How much there is of rules. */
    record Size(int rules, long octets) {}

    static Size size(Tx tx, View all) {
        return tx.sql(
                        all,
                        "select count(*) as n, coalesce(sum(length(u.script)), 0) as octets from sandbox_rule u"
                                + " where u.organization_id = {organization}")
                .single(row -> new Size(row.integer("n"), row.longer("octets")));
    }

    /** The newest rule for mail of an inbox to some address, if there is one. */
    static Optional<RecipientRule> matching(Tx tx, View all, List<String> forms, @Nullable UUID inbox) {
        return tx.sql(
                        all,
                        SELECT + " and u.match = any(:forms::text[]) and (u.inbox_id is null or u.inbox_id = :inbox)"
                                + " and (u.times is null or u.hits < u.times)"
                                + " order by u.created_at desc, u.rule_id desc limit 1")
                .bind("forms", forms)
                .bind("inbox", inbox)
                .first(RecipientRuleSql::read);
    }

    static void insert(Tx tx, View all, RecipientRule rule) {
        tx.sql(all, """
                insert into sandbox_rule (organization_id, rule_id, match, inbox_id, script, times, hits, created_at)
                values ({organization}, :rule, :match, :inbox, :script, :times, 0, :at)""")
                .bind("rule", rule.id())
                .bind("match", rule.match())
                .bind("inbox", rule.sender() == null ? null : rule.sender().inbox())
                .bind("script", rule.script())
                .bind("times", rule.times())
                .bind("at", rule.createdAt())
                .run();
    }

    static void hit(Tx tx, View all, UUID rule) {
        tx.sql(
                        all,
                        "update sandbox_rule u set hits = u.hits + 1"
                                + " where u.organization_id = {organization} and u.rule_id = :rule")
                .bind("rule", rule)
                .run();
    }

    static boolean delete(Tx tx, View all, UUID rule) {
        return tx.sql(all, "delete from sandbox_rule u where u.organization_id = {organization} and u.rule_id = :rule")
                        .bind("rule", rule)
                        .run()
                > 0;
    }

    private static RecipientRule read(Row row) {
        UUID inbox = row.uuidOrNull("inbox_id");
        String name = row.textOrNull("inbox_name");
        return new RecipientRule(
                row.uuid("rule_id"),
                row.text("match"),
                inbox == null ? null : new RecipientRule.Sender(inbox, name == null ? "" : name),
                row.text("script"),
                row.integerOrNull("times"),
                row.integer("hits"),
                row.instant("created_at"));
    }
}
