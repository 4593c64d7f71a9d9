package dev.inboxd.notify.webhook;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes outcomes of one organization, in a commit that those of others may share. */
final class Settlement implements Database.Change {
    private final Tx tx;
    private final View view;
    private final Of of;
    private final List<Outcomes> all;
    private RoundTrip.Pending<String> failing = RoundTrip.Pending.none();

    /**
     * Whose settlements they are.
     *
     * @param node who makes the attempts
     * @param cancelling calls off what waits for webhooks that failed for too long
     */
    record Of(UUID node, Webhooks.Cancelling cancelling) {}

    Settlement(Tx tx, UUID organization, Of of, List<Outcomes> all) {
        this.tx = tx;
        this.view = View.of(organization);
        this.of = of;
        this.all = all;
    }

    /** The clock alone decides: what is held under it nobody else removes or moves. */
    @Override
    public void look(RoundTrip opening) {}

    @Override
    public void write(RoundTrip writes) {
        SettlementSql.remove(writes, view, list(Outcomes::removed));
        SettlementSql.letGo(writes, view, of.node, list(each -> each.refused.stream()));
        SettlementSql.log(writes, view, list(Outcomes::made));
        // First the successes: one among many failures is enough.
        SettlementSql.recovered(
                writes, view, webhooks(each -> each.succeeded.stream().map(Made::delivery)));
        SettlementSql.fail(writes, view, list(each -> each.failed.stream()));
        failing = SettlementSql.failing(
                writes, view, webhooks(each -> each.failed.stream().map(Settlements.Failed::delivery)));
    }

    /** In this very transaction, so that a crash behind it leaves nothing to a webhook that is disabled. */
    @Override
    public @Nullable Runnable rest() {
        return all.stream().allMatch(each -> each.failed.isEmpty())
                ? null
                : () -> failing.rows().stream()
                        .filter(webhook -> !webhook.isEmpty())
                        .forEach(webhook -> of.cancelling.cancel(tx, view.organization(), webhook));
    }

    private <T> List<T> list(Function<Outcomes, Stream<T>> some) {
        return all.stream().flatMap(some).toList();
    }

    private List<String> webhooks(Function<Outcomes, Stream<Delivery>> some) {
        return all.stream().flatMap(some).map(Delivery::webhook).distinct().toList();
    }
}
