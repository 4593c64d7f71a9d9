package dev.inboxd.sending.limit;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** SQL on recipients to whom mail of an inbox leaves without approval (approvals.md §3). */
public final class ExemptRecipients {
    private static final KeysetList LIST = KeysetList.byName("e.address");

    private ExemptRecipients() {}

    /** Those of the recipients to whom mail of an inbox leaves without approval. */
    public static int count(Tx tx, View inbox, List<String> recipients) {
        return tx.sql(
                        inbox,
                        "select count(*) as n from approval_exemption e where e.organization_id = {organization}"
                                + " and e.inbox_id = :inbox and e.address = any (:addresses)")
                .bind("inbox", inbox.inbox())
                .bind("addresses", lower(recipients))
                .single(row -> row.integer("n"));
    }

    /** A recipient who needs no approval. */
    public record Exemption(String address, Instant createdAt) {}

    public static List<Exemption> list(Tx tx, View inbox, PageRequest page) {
        String select = "select e.address, e.created_at from approval_exemption e"
                + " where e.organization_id = {organization} and e.inbox_id = :inbox";
        return LIST.page(tx, inbox, select, page)
                .bind("inbox", inbox.inbox())
                .list(row -> new Exemption(row.text("address"), row.instant("created_at")));
    }

    public static void append(RoundTrip writes, View all, UUID inbox, List<String> addresses) {
        if (!addresses.isEmpty()) {
            writes.change(
                    all,
                    "insert into approval_exemption (organization_id, inbox_id, address, created_at)"
                            + " select k.organization_id, :inbox::uuid, a.address, {now}"
                            + " from unnest(:addresses::text[]) as a (address)"
                            + " join organization_clock k on k.organization_id = {organization}"
                            + " on conflict do nothing",
                    "inbox",
                    inbox,
                    "addresses",
                    lower(addresses));
        }
    }

    public static int end(Tx tx, View inbox, String address) {
        return tx.sql(
                        inbox,
                        "delete from approval_exemption e where e.organization_id = {organization}"
                                + " and e.inbox_id = :inbox and e.address = :address")
                .bind("inbox", inbox.inbox())
                .bind("address", address.toLowerCase(Locale.ROOT))
                .run();
    }

    /** Ends the exemptions of an inbox that is deleted. */
    public static void endAll(Tx tx, UUID organization, UUID inbox) {
        tx.sql(
                        View.of(organization),
                        "delete from approval_exemption e where e.organization_id = {organization}"
                                + " and e.inbox_id = :inbox")
                .bind("inbox", inbox)
                .run();
    }

    private static List<String> lower(List<String> addresses) {
        return addresses.stream()
                .map(address -> address.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }
}
