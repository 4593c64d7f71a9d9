package dev.inboxd.screening;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;

/** Verdicts on messages that came in while nothing was scanned, for tests of all routes. */
public final class HeldFixture {
    private HeldFixture() {}

    /** A grant of everything, with what is given by name alone. */
    public static ApiKey.Grant everything() {
        return new ApiKey.Grant(
                null,
                Set.of(
                        Permission.PROVIDER_CONNECT,
                        Permission.MESSAGE_RELEASE,
                        Permission.DRAFT_APPROVE,
                        Permission.AUDIT_READ));
    }

    /** A key that may do everything in an organization; returns its secret. */
    public static String key(Database database, UUID organization) {
        return database.write(
                organization,
                tx -> ApiKeys.issue(
                                tx,
                                organization,
                                new ApiKeys.KeySpec("releaser", ApiKey.Owner.ORGANIZATION, everything(), null, false),
                                tx.next().at())
                        .secret());
    }

    /**
     * Gives a message a verdict, and holds it.
     *
     * @param inbox its address
     * @param message its public id, percent-encoded
     */
    public static void hold(Database database, UUID organization, String inbox, String message) {
        judge(database, organization, inbox, message);
        change(database, organization, """
                update message m set labels = array_append(m.labels, 'held'), restricted = m.restricted | :bit
                where {m} and m.name = :name and not m.labels @> array['held']
                  and m.inbox_id in (select i.inbox_id from inbox i where {i} and i.address = :inbox)
                """.replace(":bit", String.valueOf(RestrictedLabel.HELD.bit())), inbox, message);
    }

    /** Gives a message a verdict that was reached in monitor mode, anew when it has one. */
    public static void judge(Database database, UUID organization, String inbox, String message) {
        change(database, organization, """
                insert into message_security (organization_id, message_id, verdict, reasons, model, completed_at, hold)
                select m.organization_id, m.message_id, 'review', array['hidden_text'], 'inboxd-rules-1', m.created_at,
                       false
                from message m join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id
                where {m} and m.name = :name and i.address = :inbox
                on conflict (organization_id, message_id) do update set override_id = null""", inbox, message);
    }

    private static void change(Database database, UUID organization, String sql, String inbox, String message) {
        database.<Integer>write(
                organization,
                tx -> tx.sql(View.of(organization), sql)
                        .bind("inbox", inbox)
                        .bind("name", URLDecoder.decode(message, StandardCharsets.UTF_8))
                        .run());
    }
}
