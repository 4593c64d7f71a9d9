package dev.inboxd.observe.metric;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Counts inboxes, pods and domains at past moments, from the present ones and the recorded deletions. */
final class UsageSql {
    private UsageSql() {}

    private record Lifetime(Instant created, Instant deleted) {}

    /** The number at each of these moments. */
    static List<Long> counts(Tx tx, View view, GaugeType usage, List<Instant> moments) {
        List<Lifetime> lifetimes = lifetimes(tx, view, usage);
        List<Long> counts = new ArrayList<>();
        for (Instant moment : moments) {
            counts.add(lifetimes.stream()
                    .filter(lifetime -> lifetime.created.isBefore(moment) && !lifetime.deleted.isBefore(moment))
                    .count());
        }
        return counts;
    }

    private static List<Lifetime> lifetimes(Tx tx, View view, GaugeType usage) {
        String kind = switch (usage) {
            case INBOX_COUNT -> "inbox";
            case DOMAIN_COUNT -> "domain";
            case POD_COUNT -> "pod";
            case STORAGE_BYTES, MESSAGE_COUNT, THREAD_COUNT -> throw new IllegalArgumentException(usage.wireName());
        };
        List<Lifetime> lifetimes =
                new ArrayList<>(tx.sql(view, "select d.made_at, d.at from departure d where {d} and d.kind = :kind")
                        .bind("kind", kind)
                        .list(row -> new Lifetime(row.instant("made_at"), row.instant("at"))));
        lifetimes.addAll(tx.sql(
                        view,
                        "select t.created_at from " + kind + " t where {t}"
                                + (usage == GaugeType.INBOX_COUNT ? " and not t.deleting" : ""))
                .list(row -> new Lifetime(row.instant("created_at"), Instant.MAX)));
        return lifetimes;
    }
}
