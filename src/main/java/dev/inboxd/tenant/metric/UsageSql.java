package dev.inboxd.tenant.metric;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How many inboxes, pods and domains there were: those that are there, and those that went since. */
final class UsageSql {
    private UsageSql() {}

    private record Life(Instant made, Instant gone) {}

    /** How many there were at each of these moments. */
    static List<Long> counts(Tx tx, View view, GaugeType usage, List<Instant> moments) {
        List<Life> lives = lives(tx, view, usage);
        List<Long> counts = new ArrayList<>();
        for (Instant moment : moments) {
            counts.add(lives.stream()
                    .filter(life -> life.made.isBefore(moment) && !life.gone.isBefore(moment))
                    .count());
        }
        return counts;
    }

    private static List<Life> lives(Tx tx, View view, GaugeType usage) {
        String kind = switch (usage) {
            case INBOX_COUNT -> "inbox";
            case DOMAIN_COUNT -> "domain";
            case POD_COUNT -> "pod";
            case STORAGE_BYTES, MESSAGE_COUNT, THREAD_COUNT -> throw new IllegalArgumentException(usage.wireName());
        };
        List<Life> lives =
                new ArrayList<>(tx.sql(view, "select d.made_at, d.at from departure d where {d} and d.kind = :kind")
                        .bind("kind", kind)
                        .list(row -> new Life(row.instant("made_at"), row.instant("at"))));
        lives.addAll(tx.sql(
                        view,
                        "select t.created_at from " + kind + " t where {t}"
                                + (usage == GaugeType.INBOX_COUNT ? " and not t.deleting" : ""))
                .list(row -> new Life(row.instant("created_at"), Instant.MAX)));
        return lives;
    }
}
