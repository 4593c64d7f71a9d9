package dev.inboxd.sending.trace;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls about a message by the account that pays for its organization's calls (payments.md §12). */
final class PaidCallSql {
    private static final int MOST = 200;

    private static final String CALLS = """
            select coalesce(p.request_id, c.request_id) as request_id, p.payment_id, c.method, c.route, c.at
            from message_call c
            left join payment p on p.organization_id = c.organization_id and p.payment_id = c.api_key_id
            where c.organization_id = {organization} and c.inbox_id = :inbox and c.message_id = :message
              and (c.api_key_id = :free or p.payment_id is not null) and c.method %s 'GET'
            order by c.at desc limit :most""";

    private PaidCallSql() {}

    /** The calls, the oldest first, and of many the newest; those that cost something have their payment. */
    static List<JsonObject> calls(Tx tx, View all, Message message) {
        String account = account(tx, all);
        if (account == null) {
            return List.of();
        }
        return tx.sql(
                        all,
                        "select x.* from (("
                                + CALLS.formatted("<>")
                                + ") union all ("
                                + CALLS.formatted("=")
                                + ")) x order by x.at")
                .bind("inbox", message.place().inbox())
                .bind("message", message.name())
                .bind("free", Caller.Credential.Payer.of(account).id())
                .bind("most", MOST)
                .list(row -> JsonObject.of("request_id", row.text("request_id"))
                        .with("payer", account)
                        .with("payment_id", row.uuidOrNull("payment_id"))
                        .with("method", row.text("method"))
                        .with("route", row.text("route"))
                        .with("at", row.instant("at")));
    }

    /** The account of an organization; null when it has none. Each has one at most. */
    private static @Nullable String account(Tx tx, View all) {
        return tx.sql(
                        all,
                        "select p.payer from payment p where p.organization_id = {organization}"
                                + " order by p.payment_id desc limit 1")
                .first(row -> row.text("payer"))
                .orElse(null);
    }
}
